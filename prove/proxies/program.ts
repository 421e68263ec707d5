import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";

export const run = promisify(execFile);

/** Path of a configuration file that the production guide provides. */
export const operateFile = (name: string): string => join(import.meta.dirname, "../../docs/operate", name);

/** Whether a program is installed and can be tested. */
export const isInstalled = (program: string): Promise<boolean> =>
  run(program, program === "caddy" ? ["version"] : ["-v"]).then(
    () => true,
    () => false,
  );

/** Makes a certificate for localhost, signed by itself, in files of this folder. */
export const makeCertificate = async (folder: string): Promise<{ certificate: string; key: string }> => {
  const [certificate, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
  await run("openssl", ["req", "-x509", ...made, "-keyout", key, "-out", certificate, ...subject]);
  return { certificate, key };
};

/** A running proxy, and the CA certificate that signed its own. */
export interface RunningProxy {
  authority: string;
  stop(): Promise<void>;
}

/** Where a proxy listens, its upstream, and its own folder. */
export interface ProxyPlace {
  folder: string;
  port: number;
  upstreamPort: number;
}

/** Starts a proxy; its output is reported when it exits by itself. */
export const startProgram = (program: string, args: string[], env: NodeJS.ProcessEnv = {}) => {
  const child: ChildProcess = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const ended = once(child, "exit");
  return {
    output: () => output,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stop: async (signal: NodeJS.Signals = "SIGTERM") => {
      child.kill(signal);
      await ended;
    },
  };
};
