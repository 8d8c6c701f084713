"""Programs that tests need, from the machine's package manager."""

import os
import shutil
import subprocess


def install(name: str) -> bool:
    """Install a package with apt, and return whether that worked. Without apt or root, do nothing."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    commands = (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", name])
    return all(subprocess.run(command, check=False, timeout=600).returncode == 0 for command in commands)
