# A recipe for Spack. Copy it to packages/cppc/package.py of a repository (`spack repo create`).

from spack.package import *


class Cppc(Package):
    """Checkpoint and restart of C and Fortran programs, with or without MPI."""

    homepage = "https://github.com/cppc/cppc"
    git = "https://github.com/cppc/cppc.git"

    license("Apache-2.0 OR MIT")

    version("main", branch="main")

    variant("mpi", default=True, description="Build the library for programs with MPI")
    variant("hdf5", default=True, description="Build the writer of HDF5 files")

    depends_on("c", type="build")
    depends_on("rust@1.86:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("llvm +clang", type="build", when="+mpi")
    depends_on("mpi", when="+mpi")
    depends_on("hdf5@1.10.7:", when="+hdf5")

    def setup_build_environment(self, env):
        if self.spec.satisfies("+mpi"):
            env.set("MPICC", self.spec["mpi"].mpicc)
            env.set("LIBCLANG_PATH", self.spec["llvm"].prefix.lib)
        else:
            env.set("MPICC", "false")
        if self.spec.satisfies("+hdf5"):
            env.set("HDF5_DIR", self.spec["hdf5"].prefix)

    def install(self, spec, prefix):
        cargo = which("cargo", required=True)
        cargo("xtask", "install", "--prefix", prefix)

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        Executable(join_path(self.prefix.bin, "cppc-cc"))("--cppc-version")
