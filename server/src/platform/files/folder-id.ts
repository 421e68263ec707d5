import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../fault.ts";
import { OperatorError } from "../operator-error.ts";

/**
 * Name of the file in DATA_DIR that has the folder's id. The host's name and the path do not tell one folder from another: several machines may have the
 * same ones, and two containers, or two machines by NFS, different ones for one folder.
 */
export const folderIdFile = "node-id";

/** The id of a folder; undefined when it has none yet. */
export const knownFolderId = async (dataDir: string): Promise<string | undefined> => {
  try {
    const id = (await readFile(join(dataDir, folderIdFile), "utf8")).trim();
    if (id) return id;
  } catch (fault) {
    if (codeOf(fault) === "ENOENT") return undefined;
    throw fault;
  }
  throw new OperatorError(`The file ${folderIdFile} in DATA_DIR ${dataDir} is empty: remove it, and start again`);
};

/** The id of a folder, made when it is asked for the first time. */
export const folderIdOf = async (dataDir: string): Promise<string> => {
  const known = await knownFolderId(dataDir);
  if (known !== undefined) return known;
  const id = randomUUID();
  try {
    await writeFile(join(dataDir, folderIdFile), `${id}\n`, { flag: "wx", flush: true });
    return id;
  } catch (fault) {
    // Of two servers that start with one folder at the same time the second reads the id of the first.
    if (codeOf(fault) === "EEXIST") return folderIdOf(dataDir);
    throw fault;
  }
};
