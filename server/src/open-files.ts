import { readFile } from "node:fs/promises";

/** Connections that a server of this product may well come to have. */
const plenty = 10_000;

/** What whoever runs the server should know of its limit of open files, of `/proc/self/limits`; undefined when it is high enough. */
export const openFilesWarning = (limits: string): string | undefined => {
  const most = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  if (most >= plenty) return undefined;
  return `This process may open ${most} files, and each device or browser that is connected takes one: raise the limit (ulimit -n, or LimitNOFILE of its systemd unit) for more`;
};

/** The same of this process; undefined too where the operating system does not say. */
export const ownOpenFilesWarning = async (): Promise<string | undefined> =>
  openFilesWarning(await readFile("/proc/self/limits", "utf8").catch(() => ""));
