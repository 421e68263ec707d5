// node scripts/complete-lock.mjs: run it after adding a dependency. A native package lists one optional package per platform, each in the same
// version. npm leaves those out of the lock file that its registry did not have at that moment, and then `npm ci` rejects the lock file everywhere.
// This adds them, and changes nothing else.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./place.mjs";

const systems = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const processors = ["arm", "arm64", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "x64"];

/** The platform of a package, from its name; without it npm would try to install the package everywhere. */
const platformOf = (name) => {
  const words = name.split("/").at(-1).split(/[-.]/);
  const [os, cpu] = [systems, processors].map((known) => words.filter((word) => known.includes(word)));
  const libc = os[0] === "linux" ? words.flatMap((word) => /^(musl|gnu)/.exec(word)?.[1] ?? []) : [];
  return { os, cpu, libc: libc.map((name) => (name === "gnu" ? "glibc" : name)) };
};

/** The folders in which Node resolves `path`, nearest first. */
const foldersFor = (path) => {
  const parts = path.split("/node_modules/");
  return [
    ...parts.map((_, index) => `${parts.slice(0, parts.length - index).join("/node_modules/")}/node_modules`),
    "node_modules",
  ];
};

/** The platform packages of exact version that the lock file lacks, with their entries. */
export const missingFromLock = ({ packages }) =>
  Object.entries(packages).flatMap(([path, { optionalDependencies = {}, dev }]) =>
    Object.entries(optionalDependencies).flatMap(([name, version]) => {
      const places = foldersFor(path).map((folder) => `${folder}/${name}`);
      const isThere = places.some((place) => packages[place]?.version === version);
      if (isThere || !/^\d/.test(version)) return [];
      const place = packages[`node_modules/${name}`] ? places[0] : `node_modules/${name}`;
      const filled = Object.entries(platformOf(name)).filter(([, words]) => words.length > 0);
      return [[place, { version, ...(dev ? { dev } : {}), optional: true, ...Object.fromEntries(filled) }]];
    }),
  );

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = join(root, "package-lock.json");
  const lock = JSON.parse(readFileSync(file, "utf8"));
  const missing = missingFromLock(lock);
  const packages = Object.entries({ ...lock.packages, ...Object.fromEntries(missing) });
  packages.sort(([one], [other]) => one.localeCompare(other, "en"));
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`);
  console.log(`${missing.length} platform packages added`);
}
