import { readFile } from "node:fs/promises";

/** Bytes of memory that a process holds now. */
export const residentBytes = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
};

/** Looks at a process' memory every second until it is stopped; gives the most it has seen, in bytes. */
export const watchMemory = (pid: () => number): (() => number) => {
  let most = 0;
  const look = () =>
    residentBytes(pid()).then(
      (bytes) => {
        most = Math.max(most, bytes);
      },
      () => undefined, // it is about to be started again
    );
  const timer = setInterval(() => void look(), 1_000);
  return () => {
    clearInterval(timer);
    return most;
  };
};

/** "412 MB" */
export const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`;
