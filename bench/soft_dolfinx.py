"""The forward solve of soft_bench in dolfinx: linear tetrahedra, PETSc's direct solver.

soft_dolfinx.py FOLDER YOUNG POISSON DENSITY GRAVITY: reads `vertices` and `tets`, fixes the vertices at z = 0, writes
`displacement` and `seconds`: assembly, factorisation and solve once its kernels are compiled, on the clock and of the
processor.
"""
import os
import sys
import time

import dolfinx
import numpy as np
import ufl
from dolfinx import fem, mesh
from mpi4py import MPI
from petsc4py import PETSc

folder = sys.argv[1]
young, poisson, density, gravity = map(float, sys.argv[2:])
vertices = np.fromfile(os.path.join(folder, "vertices")).reshape(-1, 3)
tets = np.fromfile(os.path.join(folder, "tets"), dtype=np.int32).reshape(-1, 4).astype(np.int64)
body = mesh.create_mesh(MPI.COMM_SELF, tets, vertices, ufl.Mesh(ufl.VectorElement("Lagrange", "tetrahedron", 1)))
space = fem.VectorFunctionSpace(body, ("Lagrange", 1))
mu = young / (2 * (1 + poisson))
lam = young * poisson / ((1 + poisson) * (1 - 2 * poisson))
u, v = ufl.TrialFunction(space), ufl.TestFunction(space)
strain = lambda w: ufl.sym(ufl.grad(w))
stress = lam * ufl.tr(strain(u)) * ufl.Identity(3) + 2 * mu * strain(u)
form = fem.form(ufl.inner(stress, strain(v)) * ufl.dx)
load = fem.form(ufl.dot(fem.Constant(body, PETSc.ScalarType((0, 0, -density * gravity))), v) * ufl.dx)
held = fem.locate_dofs_geometrical(space, lambda x: x[2] == 0.0)
support = fem.dirichletbc(np.zeros(3, dtype=PETSc.ScalarType), held, space)


def solve():
    matrix = fem.petsc.assemble_matrix(form, bcs=[support])
    matrix.assemble()
    right = fem.petsc.assemble_vector(load)
    fem.petsc.apply_lifting(right, [form], [[support]])
    fem.petsc.set_bc(right, [support])
    solver = PETSc.KSP().create(MPI.COMM_SELF)
    solver.setOperators(matrix)
    solver.setType("preonly")
    solver.getPC().setType("cholesky")
    solver.getPC().setFactorSolverType("mumps")
    moved = fem.Function(space)
    solver.solve(right, moved.vector)
    return moved


solve()
start, processor = time.perf_counter(), time.process_time()
moved = solve()
seconds, processor = time.perf_counter() - start, time.process_time() - processor
out = np.empty_like(vertices)
out[body.geometry.input_global_indices] = moved.x.array.reshape(-1, 3)
out.tofile(os.path.join(folder, "displacement"))
with open(os.path.join(folder, "seconds"), "w") as file:
    file.write(f"{seconds} {processor}")
