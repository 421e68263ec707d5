import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { z } from "zod";
import { command, operatorProgram } from "../installed.ts";

const Listed = z.array(z.object({ deviceSnId: z.string(), accessToken: z.string() }));

const ask = promisify(execFile);

/** Looks up a device's access token with the operator's command line, which requires the server's database. */
const lookUp = async (deviceSnId: string): Promise<string | undefined> => {
  const args = ["--disable-warning=ExperimentalWarning", operatorProgram, "devices", "list", "--json"];
  const { stdout } = await ask(process.execPath, args, { maxBuffer: 256 * 1024 * 1024 });
  return Listed.parse(JSON.parse(stdout)).find((device) => device.deviceSnId === deviceSnId)?.accessToken;
};

/** The access token of a device: as given, or looked up by its ID. Throws with instructions when there is none. */
export const tokenFor = async (deviceSnId: string | undefined, given: string | undefined): Promise<string> => {
  if (given) return given;
  if (deviceSnId === undefined)
    throw new Error("Name the device: --token with its access token, or --device with its ID");
  const found = await lookUp(deviceSnId).catch((cause: Error) => {
    const reason = cause.message.split("\n").at(-1) || cause.message;
    throw new Error(
      `The device's access token can't be looked up (${reason}). Give it with --token or TELLTALE_TOKEN.`,
    );
  });
  if (!found) throw new Error(`There is no device ${deviceSnId}. \`${command} devices list\` shows them all.`);
  return found;
};
