"""The programs of the attacks: what they try is in their names."""

from tests.services.sandbox_world import (
    Attack,
    changed,
    endless,
    flooded,
    killed,
    left,
    reached,
    told_secret,
)

NETWORK = (
    Attack(
        "udp",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)"
        ".sendto(b'ESCAPED', ('127.0.0.1', UDP)); time.sleep(.1)",
        reached,
    ),
    Attack(
        "abstract socket",
        "socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'ESCAPED', ABSTRACT)",
        reached,
    ),
    Attack(
        "labels from the web",
        "import urllib.request\n"
        "print(urllib.request.urlopen(f'http://127.0.0.1:{WEB}/labels.json').read())",
        told_secret,
    ),
    Attack("netlink", "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW); print('ESCAPED')"),
)

FILES = (
    Attack("reading a file outside", "print(open(SECRET_FILE, 'rb').read())", told_secret),
    Attack("writing a file outside", "open(OPEN_FILE, 'r+').write('ESCAPED')", changed),
    Attack("mode of a file outside", "os.chmod(OPEN_FILE, 0o600)", changed),
    Attack(
        "hopsight's own facts",
        "import glob\n"
        "for place in (PACKAGE, *(f'{path}/hopsight' for path in sys.path)):\n"
        "    found = glob.glob(f'{place}/wiki/mini/data/*.csv')\n"
        "    if found: print('ESCAPED', open(found[0]).read(20))",
    ),
    Attack(
        "link out of the folder",
        "os.symlink(SECRET_FILE, 'out/a.png')",
        told_secret,
    ),
    Attack("second name of a picture", "os.link('images/0.png', 'tmp/b'); print('ESCAPED')"),
    Attack("pipe among the pictures", "os.mkfifo('out/pipe.png'); print('ESCAPED')"),
    Attack("changing a picture", "open('images/0.png', 'r+b').write(b'x'); print('ESCAPED')"),
    Attack("removing a picture", "os.unlink('images/0.png'); print('ESCAPED')"),
    Attack("a picture made writable", "os.chmod('images/0.png', 0o666); print('ESCAPED')"),
    Attack("/proc/sys", "print('ESCAPED', open('/proc/sys/kernel/random/boot_id').read())"),
    Attack(
        "environment of Hopsight",
        "print(open(f'/proc/{HOST_PROCESS}/environ').read(), dict(os.environ))",
        told_secret,
    ),
    Attack("keys in the environment", "print(dict(os.environ))", told_secret),
)

AS_ROOT = (
    Attack(
        "kernel settings",
        "path = '/proc/sys/kernel/printk_ratelimit'\n"
        "value = open(path).read()\n"
        "open(path, 'w').write(value)\nprint('ESCAPED')",
    ),
    Attack(
        "mounting",
        "done = [libc.unshare(0x20000), libc.mount(b'none', b'/', None, 0x44000, None),\n"
        "    libc.mount(b'x', b'/mnt', b'tmpfs', 0, None)]\n"
        "if done == [0, 0, 0]: print('ESCAPED')\n"
        "else: raise OSError(ctypes.get_errno(), 'mount')",
    ),
    Attack(
        "device of the disk",
        "os.mknod('tmp/disk', 0o60666, os.makedev(254, 0)); print('ESCAPED')",
    ),
    Attack("another user", "os.setuid(1234); print('ESCAPED')"),
)

PROCESSES = (
    Attack(
        "fork bomb",
        "children = []\n"
        "for _ in range(200):\n"
        "    child = os.fork()\n"
        "    if child == 0: time.sleep(3); os._exit(0)\n"
        "    children.append(child)\n"
        "print('ESCAPED', len(children))\n"
        "for child in children: os.kill(child, 9); os.wait()",
    ),
    Attack(
        "bomb of threads",
        "stop = threading.Event()\n"
        "threading.stack_size(65536)\n"
        "try:\n"
        "    for _ in range(300): threading.Thread(target=stop.wait).start()\n"
        "    print('ESCAPED')\n"
        "finally: stop.set()",
    ),
    Attack(
        "another program",
        "os.posix_spawn('/bin/true', ['true'], {}); print('ESCAPED')",
    ),
    Attack("kill", "os.kill(VICTIM, 9); time.sleep(.2)", killed),
    Attack(
        "kill by thread",
        "if libc.syscall(200, VICTIM, 9) < 0: raise OSError(ctypes.get_errno(), 'tkill')\n"
        "time.sleep(.2)",
        killed,
    ),
    Attack(
        "kill by a pipe's signal",
        "reader, writer = os.pipe()\n"
        "fcntl.fcntl(reader, fcntl.F_SETOWN, VICTIM)\n"
        "fcntl.fcntl(reader, 10, 9)\n"
        "fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC)\n"
        "os.write(writer, b'x'); time.sleep(.2)",
        killed,
    ),
    Attack(
        "limits of another process",
        "resource.prlimit(VICTIM, resource.RLIMIT_NOFILE, (10, 10)); print('ESCAPED')",
    ),
    Attack("priority of another process", "os.setpriority(0, VICTIM, 19); print('ESCAPED')"),
    Attack(
        "tracing",
        "if libc.ptrace(0, 0, 0, 0) == 0: print('ESCAPED')\n"
        "else: raise OSError(ctypes.get_errno(), 'ptrace')",
    ),
    Attack(
        "outliving the parent",
        "if libc.prctl(1, 0, 0, 0, 0) == 0: print('ESCAPED')\n"
        "else: raise OSError(ctypes.get_errno(), 'prctl')",
    ),
    Attack(
        "new namespaces",
        "if libc.unshare(0x10000000) == 0: print('ESCAPED')\n"
        "else: raise OSError(ctypes.get_errno(), 'unshare')",
    ),
    Attack(
        "keys of the kernel",
        "if libc.syscall(250, 0, -3, 1) > 0: print('ESCAPED')\n"
        "else: raise OSError(ctypes.get_errno(), 'keyctl')",
    ),
)

MEBIBYTES_40 = (
    "file = {open}\n"
    "for _ in range(40): file.write(b'x' * (1 << 20))\n"
    "file.flush()\n"
    "if os.fstat(file.fileno()).st_size == 40 << 20: print('ESCAPED')"
)

AMOUNTS = (
    Attack("memory", "data = bytearray(700 << 20); print('ESCAPED')"),
    Attack(
        "memory in unnamed files",
        "files = [os.memfd_create('x') for _ in range(20)]\n"
        "for file in files: os.write(file, bytes(8 << 20))\n"
        "print('ESCAPED')",
    ),
    Attack(
        "memory shared by System V",
        "if libc.shmget(0, ctypes.c_size_t(8 << 20), 0o1600) >= 0: print('ESCAPED')\n"
        "else: raise OSError(ctypes.get_errno(), 'shmget')",
    ),
    Attack("a large file", MEBIBYTES_40.format(open="open('tmp/large', 'wb')")),
    Attack(
        "a large file without a name",
        MEBIBYTES_40.format(open="open(os.open('tmp', os.O_TMPFILE | os.O_RDWR), 'wb')"),
    ),
    # Twenty times the limit: without mounts a watch ends the program, within some milliseconds.
    Attack(
        "many large files",
        "for number in range(40): open(f'tmp/{number}', 'wb').write(bytes(8 << 20))\n"
        "print('ESCAPED')",
    ),
    Attack(
        "large files removed while open",
        "files = []\n"
        "for number in range(5):\n"
        "    files.append(open(f'tmp/{number}', 'wb'))\n"
        "    os.unlink(f'tmp/{number}')\n"
        "    files[-1].write(bytes(8 << 20))\n"
        "print('ESCAPED')",
    ),
    Attack(
        "many empty files",
        "for number in range(20_000): os.close(os.open(f'tmp/{number}', os.O_CREAT))\n"
        "print('ESCAPED')",
    ),
    Attack(
        "many folders",
        "path = 'tmp'\nfor number in range(20_000): os.mkdir(f'tmp/{number}')\nprint('ESCAPED')",
    ),
    Attack(
        "many open files",
        "files = [os.open('/dev/null', os.O_RDONLY) for _ in range(200)]; print('ESCAPED')",
    ),
    Attack("CPU for ever", "while True: pass", endless),
    Attack("sleeping for ever", "time.sleep(100)", endless),
    Attack("output for ever", "for _ in range(60_000): print('x' * 100)", flooded),
)

EPISODES = (
    Attack(
        "a folder that cannot be removed",
        "os.mkdir('tmp/closed', 0); os.mkdir('tmp/open'); os.mkdir('tmp/open/closed', 0)\n"
        "print('ESCAPED')",
        left,
    ),
    Attack(
        "a file for the next episode",
        "print('ESCAPED' if os.path.exists('tmp/left') or os.path.exists('/tmp/left') else '')",
        first="open('tmp/left', 'w').write('x')",
    ),
    Attack(
        "an output for the next episode",
        "print('ESCAPED' if os.listdir('out') else '')",
        first="open('out/left.png', 'w').write('x')",
    ),
    Attack(
        "a longer life than the episode",
        "time.sleep(.6); print('ESCAPED' if os.path.exists('tmp/alive') else '')",
        first="if os.fork() == 0: time.sleep(.3); open('tmp/alive', 'w').write('x')",
    ),
)

ATTACKS = NETWORK + FILES + PROCESSES + AMOUNTS + EPISODES
