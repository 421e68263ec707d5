import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import type { Plugin } from "vite";

const compress = promisify(brotliCompress);

/** Files with a hash in their name, which never change. Fonts are compressed already. */
const compressible = /^assets\/.*\.(js|css|json|svg)$/;

/**
 * Writes each file of the console compressed beside it, as well as it can be, which takes a hundred times as long as what a server can afford for each
 * request. The server sends it to browsers that take it (server/src/platform/http/console-files.ts).
 */
export const compressed = (): Plugin => ({
  name: "compressed",
  apply: "build",
  async writeBundle({ dir = "" }, bundle) {
    const files = Object.keys(bundle).filter((name) => compressible.test(name));
    await Promise.all(
      files.map(async (name) => {
        const content = await readFile(join(dir, name));
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
        await writeFile(join(dir, `${name}.br`), await compress(content, { params }));
      }),
    );
  },
});
