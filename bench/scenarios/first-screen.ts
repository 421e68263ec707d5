import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Figure } from "../figure.ts";

const program = fileURLToPath(new URL("../../console/scripts/first-screen.ts", import.meta.url));

/** JavaScript of the first screens, gzipped; requires a built console. */
export const firstScreen = async (): Promise<Figure[]> => {
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  return stdout
    .trim()
    .split("\n")
    .map((line) => /^(\S+)\s+([\d.]+) kB/.exec(line))
    .flatMap((match) =>
      match
        ? [
            {
              name: `JavaScript of ${match[1]}, gzipped`,
              goal: "<= 130 kB",
              measured: `${match[2]} kB`,
              baseline: "",
              ratio: "",
            },
          ]
        : [],
    );
};
