import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "../../e2e/server-process.ts";
import { makeCertificate, operateFile, type ProxyPlace, type RunningProxy, run, startProgram } from "./program.ts";

/** The guide's configuration file with the trial's ports, name, certificate and log. */
const trialOf = async (place: ProxyPlace, certificate: string, key: string): Promise<string> => {
  const changes: [string, string][] = [
    ["listen 443 ssl;", `listen 127.0.0.1:${place.port} ssl;`],
    ["listen 80;", `listen 127.0.0.1:${await freePort()};`],
    ["server 127.0.0.1:8080;", `server 127.0.0.1:${place.upstreamPort};`],
    ["/etc/letsencrypt/live/telltale.example.com/fullchain.pem", certificate],
    ["/etc/letsencrypt/live/telltale.example.com/privkey.pem", key],
    ["/var/log/nginx/telltale.log", join(place.folder, "access.log")],
    ["/var/log/nginx/telltale-error.log", join(place.folder, "error.log")],
    ["server_name telltale.example.com;", "server_name localhost;"],
  ];
  let text = await readFile(operateFile("telltale.nginx.conf"), "utf8");
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`telltale.nginx.conf has no '${from}' any more`);
    text = text.replaceAll(from, to);
  }
  return text;
};

/** Starts nginx with the guide's configuration file and a certificate generated for the trial. */
export const startNginx = async (place: ProxyPlace): Promise<RunningProxy> => {
  const { folder } = place;
  const { certificate, key } = await makeCertificate(folder);
  await chmod(folder, 0o755);
  await writeFile(join(folder, "site.conf"), await trialOf(place, certificate, key));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const isRoot = process.getuid?.() === 0;
  const main = `daemon off;
pid ${join(folder, "nginx.pid")};
error_log ${join(folder, "error.log")};
${isRoot ? "user root;" : ""}
events {}
http { ${temporary.join(" ")} include ${join(folder, "site.conf")}; }
`;
  const config = join(folder, "nginx.conf");
  await writeFile(config, main);
  await run("nginx", ["-t", "-c", config]);
  const nginx = startProgram("nginx", ["-c", config]);
  return { authority: await readFile(certificate, "utf8"), stop: nginx.stop };
};
