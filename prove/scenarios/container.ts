import { type Container, graceTime, startContainer } from "../container/container.ts";
import { buildImage, type Image } from "../container/image.ts";
import { missingForContainers, openPodman } from "../container/podman.ts";
import { count, type Finding, type Scenario, scaled } from "../finding.ts";
import { createOwner, type Fleet, startFleet } from "../fleet.ts";
import { liveDelay, signInThroughProxy } from "../proxies/through.ts";
import { verdict } from "../verdict.ts";

/** Most that an image may be, and its first start may take. */
const [mostMegabytes, mostSeconds] = [350, 60];
const megabyte = 1e6;
/** Acknowledgements of each device between two faults. */
const between = 50;
/** How often the container is killed. */
const kills = 10;

const secondsOf = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

const aboutImage = ({ size, baseSize, seconds }: Image): Finding => {
  const [all, base] = [size, baseSize].map((bytes) => Math.round(bytes / megabyte));
  return {
    promise: `The image has at most ${mostMegabytes} MB`,
    counted: `${all} MB, of which the base is ${base}; built in ${Math.round(seconds)} s`,
    isKept: size <= mostMegabytes * megabyte,
  };
};

const aboutRights = async (container: Container, { user }: Image): Promise<Finding> => {
  const [id, program, data] = [
    await container.execute("id", "-u"),
    await container.execute("touch", "/opt/telltale/changed"),
    await container.execute("touch", "/var/lib/telltale/changed"),
  ];
  return {
    promise: "It is not root, has no capabilities, and may write to its volume and to /tmp only",
    counted: `user ${user} (${id}); its program: ${/read-only/i.exec(program)?.[0].toLowerCase() ?? "written"}; its volume: ${data === "" ? "written" : data}`,
    isKept: id !== "0" && user !== "" && /read-only/i.test(program) && data === "",
  };
};

const aboutStart = async (container: Container): Promise<Finding[]> => {
  const first = container.readyAfter();
  const health = await container.health();
  return [
    {
      promise: `With an empty volume it is ready within ${mostSeconds} s, PostgreSQL and demonstration included`,
      counted: secondsOf(first),
      isKept: first < mostSeconds * 1000,
    },
    { promise: "The image's health check says so", counted: health, isKept: health === "healthy" },
  ];
};

const aboutWalk = async (container: Container): Promise<Finding> => {
  const visitor = await signInThroughProxy(container, container.baseURL);
  const delay = await liveDelay(visitor);
  return {
    promise: "A user signs in, and sees a reading that a device has published and got acknowledged",
    counted: `after ${Math.round(delay)} ms`,
    isKept: delay < 5_000,
  };
};

const stopIt = async (container: Container, fleet: Fleet): Promise<Finding> => {
  const { code, seconds } = await container.replaceStopped();
  await fleet.eachHas(between);
  return {
    promise: `SIGTERM ends it cleanly within the ${graceTime} s that compose.yaml gives it; a new container goes on with its volume`,
    counted: `exit code ${code} after ${seconds.toFixed(1)} s; the new one ready after ${secondsOf(container.readyAfter())}`,
    isKept: code === 0 && seconds < graceTime,
  };
};

const killIt = async (container: Container, fleet: Fleet, times: number): Promise<Finding> => {
  let longest = 0;
  for (let time = 0; time < times; time++) {
    await container.replaceKilled();
    longest = Math.max(longest, container.readyAfter());
    await fleet.eachHas(between);
  }
  return {
    promise: "After kill -9 a new container on its volume is ready, and devices go on",
    counted: `${count(times, "times")}, ready after ${secondsOf(longest)} at most`,
    isKept: longest < mostSeconds * 1000,
  };
};

const run = async (scale: number): Promise<Finding[]> => {
  const missing = await missingForContainers();
  if (missing) return [{ promise: "Telltale runs in a container", counted: missing }];
  const podman = await openPodman();
  try {
    const image = await buildImage(podman);
    const container = await startContainer(podman, image.name);
    const findings = [aboutImage(image), ...(await aboutStart(container)), await aboutRights(container, image)];
    findings.push(await aboutWalk(container));
    const fleet = await startFleet(container, await createOwner(container));
    await fleet.eachHas(between);
    findings.push(await stopIt(container, fleet), await killIt(container, fleet, scaled(kills, scale)));
    await fleet.finish();
    return [...findings, ...(await verdict(container, fleet))];
  } finally {
    await podman.remove();
  }
};

/** The image of deploy/Containerfile, as an operator builds and runs it. */
export const container: Scenario = {
  title: "A container",
  does: `The image of [deploy/Containerfile](operate/README.md#in-a-container), built and run by Podman with a read-only root and no capabilities, on a base made of Debian's packages and this machine's Node: no registry of images is needed. While five devices send, the container is stopped once, and killed ${kills} times; each time a new one takes its volume.`,
  run,
};
