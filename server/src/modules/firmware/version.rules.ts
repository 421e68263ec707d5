/** Numbers of a version that are compared; missing ones are 0. */
const places = 4;
const written = /^v?(\d{1,9}(?:\.\d{1,9}){0,3})$/i;

/** A version as comparable numbers of fixed length; undefined for a text that is no version. */
export const versionOrder = (version: string): number[] | undefined => {
  const numbers = written.exec(version.trim())?.[1]?.split(".").map(Number);
  return numbers && [...numbers, ...Array<number>(places - numbers.length).fill(0)];
};

/** Whether two texts name the same version: `v2.5` and `2.5.0` do. */
export const isSameVersion = (one: string | null, other: string | null): boolean => {
  if (one === null || other === null) return false;
  const [first, second] = [versionOrder(one), versionOrder(other)];
  return first && second ? first.every((number, place) => number === second[place]) : one.trim() === other.trim();
};

/** Whether a version is newer than another. An unknown or invalid current version counts as older than any. */
export const isNewer = (version: string, than: string | null): boolean => {
  const [first, second] = [versionOrder(version), than === null ? undefined : versionOrder(than)];
  if (!first || !second) return !isSameVersion(version, than);
  const differs = first.findIndex((number, place) => number !== second[place]);
  return differs >= 0 && (first[differs] ?? 0) > (second[differs] ?? 0);
};

/** A version available for a P/N. */
export interface Available {
  version: string;
  versionType: number;
}

/** A finished update: the installed version, and the one before. */
export interface Installed {
  version: string;
  from: string | null;
}

/** The newest version. */
export const latestOf = (available: readonly Available[]): Available | undefined =>
  available.reduce<Available | undefined>(
    (latest, each) => (latest && !isNewer(each.version, latest.version) ? latest : each),
    undefined,
  );

/** The version that a device can go back to: the one before the current one, if its image is still stored. `installed`: newest first. */
export const rollbackOf = (
  current: string | null,
  installed: readonly Installed[],
  available: readonly Available[],
): Available | undefined => {
  if (current === null) return undefined;
  const forward = installed.find(
    ({ version, from }) => from !== null && isSameVersion(version, current) && isNewer(current, from),
  );
  return forward && available.find(({ version }) => isSameVersion(version, forward.from));
};
