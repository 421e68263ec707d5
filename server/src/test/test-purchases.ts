import { orders, sandbox } from "@telltale/contract/domains/billing";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { aDevice } from "./test-devices.ts";
import { anOwner, type Person } from "./test-people.ts";
import type { TestServer } from "./test-server.ts";

const day = 86_400_000;

/** A year of the first package. */
export const sixty = { packageId: 1, storageSpace: 1, year: 1 };

/** The parameters with which the provider returns the browser. */
export interface Returned {
  paymentId: string;
  payerId: string;
}

/** Purchases of network services, step by step as the console makes them. */
export const testPurchases = (server: TestServer) => {
  const { world } = server;

  const rowOf = (deviceId: number) =>
    world.db.selectFrom("devices").selectAll().where("device_id", "=", deviceId).executeTakeFirstOrThrow();

  const orderRow = (orderSn: string) =>
    world.db.selectFrom("orders").selectAll().where("order_sn", "=", orderSn).executeTakeFirstOrThrow();

  /** A station whose service ended five days ago, with a sub-device; both online. */
  const aDueStation = async () => {
    const owner = await anOwner(world);
    const station = await aDevice(world, owner, { name: "Station", model: Model.mixed });
    const sub = { deviceType: DeviceType.sub, parentDeviceId: station.deviceId };
    const pressure = await aDevice(world, owner, { name: "Pressure", ...sub });
    const now = world.clock.date();
    const heard = { is_online: true, last_seen_time: now, expire_time: new Date(Number(now) - 5 * day) };
    const ids = [station.deviceId, pressure.deviceId];
    await world.db.updateTable("devices").set(heard).where("device_id", "in", ids).execute();
    return { owner, deviceId: station.deviceId, subId: pressure.deviceId };
  };

  /** Orders and goes to the checkout, as the dialog does. */
  const order = async (person: Person, deviceId: number, choice = sixty) => {
    const { orderSn } = await server.as(person)(orders.create, { deviceId, ...choice });
    const { id, url } = await server.as(person)(orders.pay, { orderSn });
    return { orderSn, paymentId: id, url };
  };

  /** Approves, as the buyer does in the checkout. */
  const approve = async (person: Person, paymentId: string): Promise<Returned> => {
    const { url } = await server.as(person)(sandbox.approve, { paymentId });
    const back = new URL(url, "http://console");
    if (back.pathname !== "/payResult") throw new Error(`The buyer was sent to ${url}`);
    return { paymentId: back.searchParams.get("paymentId") ?? "", payerId: back.searchParams.get("PayerID") ?? "" };
  };

  const settle = (person: Person, returned: Returned) => server.as(person)(orders.settle, returned);

  /** Orders, approves and pays. */
  const buy = async (person: Person, deviceId: number, choice = sixty) => {
    const { orderSn, paymentId } = await order(person, deviceId, choice);
    return { orderSn, paid: await settle(person, await approve(person, paymentId)) };
  };

  return { rowOf, orderRow, aDueStation, order, approve, settle, buy };
};

export type TestPurchases = ReturnType<typeof testPurchases>;
