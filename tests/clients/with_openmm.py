# SPDX-License-Identifier: Apache-2.0
import numpy as np
import openmm as mm
from openmm import unit

from steps import end, step

SIDE = 3


def atoms(periodic):
    """Argon-like charges on a lattice, with a bond and an angle."""
    s = mm.System()
    n = SIDE ** 3
    f = mm.NonbondedForce()
    for i in range(n):
        s.addParticle(39.9)
        f.addParticle(0.2 * (-1) ** i, 0.34, 0.99)
    if periodic:
        edge = 0.5 * SIDE + 1.0
        s.setDefaultPeriodicBoxVectors((edge, 0, 0), (0, edge, 0), (0, 0, edge))
        f.setNonbondedMethod(mm.NonbondedForce.PME)
        f.setCutoffDistance(1.0)
    bond, angle = mm.HarmonicBondForce(), mm.HarmonicAngleForce()
    bond.addBond(0, 1, 0.45, 1000.0)
    angle.addAngle(0, 1, 2, 2.0, 100.0)
    for force in (f, bond, angle):
        s.addForce(force)
    places = np.array([(i % SIDE, i // SIDE % SIDE, i // SIDE ** 2)
                       for i in range(n)]) * 0.5
    return s, places + 0.03 * np.sin(np.arange(3 * n).reshape(n, 3))


def results(platform, periodic, steps):
    s, places = atoms(periodic)
    c = mm.Context(s, mm.VerletIntegrator(0.001),
                   mm.Platform.getPlatformByName(platform))
    c.setPositions(places)
    c.getIntegrator().step(steps)
    got = c.getState(getEnergy=True, getForces=True)
    return (got.getPotentialEnergy().value_in_unit(unit.kilojoule_per_mole),
            got.getForces(asNumpy=True)._value)


def compare(periodic, steps):
    (e, f), (host_e, host_f) = (results(p, periodic, steps)
                                for p in ("CUDA", "Reference"))
    assert abs(e - host_e) < 2e-3 * max(1, abs(host_e)), (e, host_e)
    np.testing.assert_allclose(f, host_f, rtol=1e-3, atol=0.3)


@step("forces")
def _():
    compare(False, 0)


@step("twenty steps")
def _():
    compare(False, 20)


@step("particle mesh Ewald")
def _():
    compare(True, 0)


end()
