import { AlertClass, AlertType } from "@telltale/contract/alerts";
import { audit } from "@telltale/contract/audit";
import { type Client, createClient } from "@telltale/contract/client";
import { Message } from "@telltale/contract/codes";
import { topics } from "@telltale/contract/device-api";
import { DeviceType, Model } from "@telltale/contract/devices";
import { CommandStatus, JointEnding, joint } from "@telltale/contract/joint";
import { Role } from "@telltale/contract/permissions";
import type { MqttClient } from "mqtt";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createDeviceWorld, type DeviceWorld } from "../test/device-world.ts";
import type { TestDevice } from "../test/test-devices.ts";
import { anOwner, type Person } from "../test/test-people.ts";
import { serveWorld, type TestServer } from "../test/test-server.ts";
import { createJointControl, type JointControl } from "./control.ts";

const start = 1_763_700_000_000;
const soon = { timeout: 8_000, interval: 20 };

let world: DeviceWorld;
let server: Pick<TestServer, "as" | "close">;
let control: JointControl;
let owner: Person;
let ask: Client;
let pump: TestDevice;
let moment = 0;

const openControl = () => createJointControl({ ...world, callDevice: world.gateway.callDevice });

beforeAll(async () => {
  world = await createDeviceWorld();
  server = await serveWorld(world);
});
beforeEach(async () => {
  owner = await anOwner(world);
  ask = server.as(owner);
  pump = await aPump();
  control = openControl();
  control.start();
});
afterEach(() => control.stop());
afterAll(async () => {
  await server.close();
  await world.close();
});
