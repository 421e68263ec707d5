# Runs the systemd of the Debian in folder $1 as process 1 of namespaces of its own; the network is this machine's. Run by machine.ts with `unshare`.
set -e
root=$1
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
  mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
else
  mount -t tmpfs tmpfs "$root/sys/fs/cgroup"
  mkdir "$root/sys/fs/cgroup/systemd"
  mount -t cgroup -o none,name=systemd cgroup "$root/sys/fs/cgroup/systemd"
fi
mount -t tmpfs tmpfs "$root/run"
mount -t tmpfs tmpfs "$root/tmp"
mount --bind /dev "$root/dev"
hostname telltale
container=telltale exec chroot "$root" /lib/systemd/systemd --system --unit=multi-user.target --log-target=null
