"""Many contacts at once: Newton's cradle without gaps. All contacts press together; who moves off how fast depends on
the springs between the balls, Hertz's or linear ones."""
import carom

count, radius, mass = 5, 0.02, 0.1
for exponent in (1.0, 1.5):
    balls = [
        carom.body(
            "sphere",
            mass,
            radius=radius,
            position=[2.0 * radius * i, 0.0, 0.0],
            velocity=[1.0 if i == 0 else 0.0, 0.0, 0.0],
        )
        for i in range(count)
    ]
    contacts = [
        {
            "bodies": [i, i + 1],
            "point": [2.0 * radius * i + radius, 0.0, 0.0],
            "normal": [-1.0, 0.0, 0.0],
            "exponent": exponent,
            "e": 1.0,
        }
        for i in range(count - 1)
    ]
    impact = carom.simultaneous(balls, contacts)
    velocities = " ".join(f"{body.velocity[0]:9.6f}" for body in impact.bodies if body is not None)
    print(f"{'linear' if exponent == 1.0 else 'Hertz '} springs: {velocities} m/s, {len(impact.events)} events")
