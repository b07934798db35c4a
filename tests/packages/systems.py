# SPDX-License-Identifier: AGPL-3.0-or-later
"""The package and the tarball in bare systems of Debian: installed, upgraded, removed, purged; started, and asked what their
media worker can do there."""
import glob
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
KEPT = ROOT / "build/roots"
RELEASES = {"12": "bookworm", "13": "trixie"}
CONFIG, DATA = "/etc/dunlin/dunlin.toml", "/var/lib/dunlin"
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}


class Missing(Exception):
    """What a test stands on cannot be had on this machine."""


def run(*words, **more):
    done = subprocess.run([str(w) for w in words], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)
    if done.returncode:
        raise RuntimeError(f"{' '.join(str(w) for w in words[:6])} ended with {done.returncode}:\n{done.stdout[-3000:]}")
    return done.stdout


def bare(release):
    """A bare system of a release as an archive, made once."""
    archive = KEPT / f"debian-{release}.tar"
    if archive.is_file():
        return archive
    if os.geteuid() != 0 or not shutil.which("mmdebstrap"):
        raise Missing("bare systems need root and mmdebstrap")
    KEPT.mkdir(parents=True, exist_ok=True)
    made = subprocess.run(["mmdebstrap", "--format=tar", "--variant=apt", "--include=ca-certificates", RELEASES[release], f"{archive}.new"],
                          text=True, capture_output=True)
    if made.returncode:
        raise Missing(f"there is no Debian {release} to be had: {made.stderr[-500:]}")
    os.replace(f"{archive}.new", archive)
    return archive


class System:
    """One that is thrown away."""

    def __init__(self, release):
        archive = bare(release)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"dunlin-debian-{release}-"))
        run("tar", "-C", self.folder, "-xf", archive)
        shutil.copy("/etc/resolv.conf", self.folder / "etc/resolv.conf")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, line):
        """What runs there with processes of its own, which end with it."""
        inside = ["unshare", "--mount", "--pid", "--fork", "--kill-child", f"--mount-proc={self.folder}/proc", "chroot", self.folder]
        return subprocess.Popen([*map(str, inside), "/bin/sh", "-ec", line], text=True, env=ENVIRONMENT,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def sh(self, line):
        process = self.start(line)
        said = process.communicate(timeout=900)[0]
        if process.returncode:
            raise RuntimeError(f"{line} ended with {process.returncode}:\n{said[-3000:]}")
        return said

    def path(self, name):
        return self.folder / name.lstrip("/")

    def install(self, package):
        shutil.copy(package, self.path("/tmp/dunlin.deb"))
        return self.sh("apt-get -q -o APT::Sandbox::User=root install -y --no-install-recommends /tmp/dunlin.deb")


def serves(system, dunlin, options):
    """[problem...] of a server that runs there as `dunlin` for a moment: whether it is ready and makes a picture in its sandbox."""
    system.path("/tmp/look").write_text(f"""cd {DATA}
{dunlin} serve {options} >/tmp/out 2>&1 & server=$!
trap 'kill $server' EXIT
for try in $(seq 300); do {dunlin} health {options} >/tmp/health 2>&1 && break; sleep 0.1; done
cat /tmp/health
{dunlin} doctor {options} --json || true
""")
    said = system.sh("chmod 755 /tmp/look; setpriv --reuid dunlin --regid dunlin --init-groups sh /tmp/look || { cat /tmp/out; exit 1; }")
    ready, _, diagnosis = said.partition("\n")
    problems = [] if ready == "OK" else [f"it is not ready: {said[:500]}\n{system.path('/tmp/out').read_text()}"]
    seen = [one for one in json.loads(diagnosis[diagnosis.index("["):]) if one["check"] == "media"]
    # ffmpeg is recommended only, and not there.
    return problems + [one["text"] for one in seen if one["level"] != "ok" and "ffmpeg" not in one["text"]]


def make(kind, revision, out, release=""):
    """Of the program that is tested; for another release than this machine's it is built there first."""
    program = pathlib.Path(os.environ["DUNLIN"]).resolve()
    run(ROOT / "script/package", kind, cwd=ROOT, env=os.environ | {"OUT": str(out), "REVISION": revision, "XZ_LEVEL": "0", "COMPRESSION": "gzip",
                                                                   "DUNLIN": str(program), "RELEASE": release})
    found = sorted(glob.glob(f"{out}/*.deb" if kind == "deb" else f"{out}/*.tar.xz"))
    return pathlib.Path(found[-1])


def facts(system, name):
    """Mode and owner."""
    return system.sh(f"stat -c '%a %U:%G' {name}").strip()


def expect(problems, wanted, seen, what):
    if wanted != seen:
        problems.append(f"{what}: {seen!r} instead of {wanted!r}")


def installed(system, package):
    problems = []
    said = system.install(package)
    if "Set public_url in /etc/dunlin/dunlin.toml" not in said:
        problems.append(f"it did not say what comes next: {said[-500:]}")
    expect(problems, "700 dunlin:dunlin", facts(system, DATA), DATA)
    expect(problems, "640 root:dunlin", facts(system, CONFIG), CONFIG)
    expect(problems, CONFIG, os.readlink(system.path(DATA + "/dunlin.toml")), "what the data folder leads to")
    for name in ("/usr/share/man/man1/dunlin.1.gz", "/usr/share/man/man5/dunlin.toml.5.gz", "/lib/systemd/system/dunlin.service",
                 "/lib/systemd/system/dunlin.socket", "/usr/share/bash-completion/completions/dunlin",
                 "/usr/share/doc/dunlin/install.md", "/usr/share/doc/dunlin/copyright"):
        expect(problems, True, system.path(name).exists(), f"whether {name} is there")
    if system.path("/etc/systemd/system/multi-user.target.wants/dunlin.service").is_symlink():
        problems.append("it would be started although it is not configured")
    return problems


def configured(system):
    file = system.path(CONFIG)
    text = file.read_text().replace('#public_url = ""', 'public_url = "http://localhost:3456"')
    file.write_text(text.replace('#listen = ["127.0.0.1:3000"]', 'listen = ["127.0.0.1:3456"]'))
    problems = serves(system, "/usr/bin/dunlin", f"--data {DATA}")
    made = system.sh(f"cd {DATA}; setpriv --reuid dunlin --regid dunlin --init-groups dunlin account create alice "
                     f"--email alice@example.org --confirmed --data {DATA} --json")
    return problems + ([] if '"alice"' in made else [made])


def upgraded(system, package):
    problems, before = [], system.path(CONFIG).read_text()
    system.install(package)
    expect(problems, before, system.path(CONFIG).read_text(), CONFIG)
    expect(problems, "640 root:dunlin", facts(system, CONFIG), CONFIG)
    wanted = re.search(r"_([^_]+)_", package.name)[1]
    expect(problems, wanted, system.sh("dpkg-query -W -f '${Version}' dunlin").strip(), "its version")
    problems += serves(system, "/usr/bin/dunlin", f"--data {DATA}")
    people = system.sh(f"cd {DATA}; setpriv --reuid dunlin --regid dunlin --init-groups dunlin account list --data {DATA}")
    return problems + ([] if "alice" in people else [f"alice is gone: {people}"])


def removed(system):
    problems = []
    system.sh("apt-get -q remove -y dunlin")
    for name, there in (("/usr/bin/dunlin", False), (CONFIG, True), (DATA + "/dunlin.db", True)):
        expect(problems, there, system.path(name).exists(), f"whether {name} is there")
    return problems


def purged(system, package):
    problems = []
    system.install(package)
    said = system.sh("apt-get -q purge -y dunlin")
    if "is still in /var/lib/dunlin" not in said:
        problems.append(f"it did not say that data are kept: {said[-500:]}")
    for name, there in (("/etc/dunlin", False), (DATA + "/dunlin.db", True), (DATA + "/dunlin.toml", False)):
        expect(problems, there, os.path.lexists(system.path(name)), f"whether {name} is there")
    shutil.rmtree(system.path(DATA))
    system.install(package)
    system.sh("apt-get -q purge -y dunlin")
    expect(problems, False, system.path(DATA).exists(), "whether an empty data folder is left")
    return problems


def lint(package):
    if not shutil.which("lintian"):
        raise Missing("lintian is not installed")
    done = subprocess.run(["lintian", "--allow-root", "--tag-display-limit", "0", str(package)], text=True, capture_output=True)
    return [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]


def own_release():
    own = re.search(r'^VERSION_ID="?(\d+)', pathlib.Path("/etc/os-release").read_text(), re.M)
    if not own or own[1] not in RELEASES or not shutil.which("dpkg-shlibdeps"):
        raise Missing("a package is made on Debian 12 or 13, with dpkg-dev")
    return own[1]


def package_here():
    """That one is made, and what is in it."""
    own_release()
    with tempfile.TemporaryDirectory(prefix="dunlin-package-") as name:
        made = make("deb", "1", pathlib.Path(name))
        inside = run("dpkg-deb", "--contents", made)
        wanted = ["/usr/bin/dunlin", "/lib/systemd/system/dunlin.service", "/usr/share/man/man1/dunlin.1.gz", "/examples/rules/wave.json",
                  "/examples/grafana.json", "/doc/dunlin/install.md"]
        return [("a package holds the program and what goes with it", [f"{one} is not in it" for one in wanted if one not in inside])]


def packages():
    """[(what is checked, [problem...])...]; raises Missing."""
    own = own_release()
    return [result for release in RELEASES for result in packaged(release, "" if release == own else release)]


def packaged(release, elsewhere):
    with tempfile.TemporaryDirectory(prefix="dunlin-packages-") as name:
        bare(release)
        begun = time.monotonic()
        first, second = (make("deb", number, pathlib.Path(name), elsewhere) for number in "12")
        print(f"two packages for Debian {release} of {first.stat().st_size >> 10} KiB in {time.monotonic() - begun:.0f} s", flush=True)
        with System(release) as system:
            system.sh("apt-get -q update")
            where = f"on Debian {release}"
            results = [(f"lintian is content with that for Debian {release}", lint(first))]
            for what, check in (("it is installed", lambda: installed(system, first)),
                                ("and serves once configured", lambda: configured(system)),
                                ("an upgrade keeps all", lambda: upgraded(system, second)),
                                ("removed, it leaves configuration and data", lambda: removed(system)),
                                ("purged, it leaves data", lambda: purged(system, second))):
                results.append((f"{where} {what}", check()))
            return results


def tarballs():
    results = []
    with tempfile.TemporaryDirectory(prefix="dunlin-tarball-") as name:
        for release in RELEASES:
            bare(release)
        if not shutil.which("patchelf"):
            raise Missing("a tarball needs patchelf")
        archive = make("tarball", "1", pathlib.Path(name))
        print(f"a tarball of {archive.stat().st_size >> 10} KiB", flush=True)
        for release in RELEASES:
            with System(release) as system:
                run("tar", "-C", system.path("/opt"), "-xf", archive)
                program = "/opt/" + archive.name.removesuffix(".tar.xz") + "/dunlin"
                system.sh(f"echo dunlin:x:990:990::{DATA}:/bin/sh >>/etc/passwd; echo dunlin:x:990: >>/etc/group; "
                          f"install -d -o dunlin -g dunlin -m 700 {DATA}")
                missing = [line for line in system.sh(f"ldd {program}").splitlines() if "not found" in line]
                results.append((f"the tarball serves on a bare Debian {release}",
                                missing + serves(system, program, f"--data {DATA} --listen 127.0.0.1:3457")))
    return results
