export { addressOf } from "./bridge.ts";
export { applyBridges, type Bridges, createBridgeExpiry, createBridges } from "./bridges.ts";
export { BrokerFault, connectBroker, refusalOfBroker } from "./broker.ts";
export { brokerFault } from "./faults.rules.ts";
export { lagsOf } from "./queue/entries.ts";
export { bridgesOfValues, queueAlerts, queueReadings } from "./queue/insert.ts";
export { type Bridge, failingBridges } from "./state.ts";
