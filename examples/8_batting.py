"""Where must a bat meet a flying body so that the body goes through a target? A ball of half a kilogram comes in
sideways; the bat is heavy, its face across the normal."""
import carom

ball = carom.body("sphere", 0.5, radius=0.1, position=[0.1, 0.0, 0.0], velocity=[-1.0, 0.6, -0.4])
bat = carom.body("box", 5.0, size=[0.1, 1.0, 1.0], position=[-0.05, 0.0, 0.0])
plan = carom.batting(
    bodies=[ball, bat],
    contact={"point": [0, 0, 0], "normal": [1, 0, 0]},
    friction=0.5,
    restitution=0.8,
    target=[5.0, -0.2, 1.0],
    objective="least_impulse",
)
assert plan.contact_velocity is not None and plan.impulse is not None and plan.flight_time is not None
assert plan.miss_distance is not None and plan.miss_distance < 1e-8
print("contact velocity {:.5f} {:.5f} {:.5f} m/s".format(*plan.contact_velocity))
print("impulse {:.5f} {:.5f} {:.5f} N s, in flight for {:.5f} s".format(*plan.impulse, plan.flight_time))
