import mqttPacket from "mqtt-packet";

/** The MQTT 3.1.1 CONNECT packet of a device with its access token; `keepalive` in seconds, 0 for none. */
export const connectPacket = (clientId: string, token: string, keepalive: number): Buffer =>
  mqttPacket.generate({
    cmd: "connect",
    protocolId: "MQTT",
    protocolVersion: 4,
    clean: true,
    clientId,
    username: token,
    keepalive,
  });
