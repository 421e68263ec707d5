/** An alert, or an event of a device, as far as a link to its moment needs it. */
interface Raised {
  alarmLogId: number;
  deviceId: number;
  deviceChannelId?: number | null;
  createdTime: Date;
}

/** Parameters of the device screen for an alert: its channel, at the moment at which it was raised. */
export const momentSearch = ({ alarmLogId, deviceId, deviceChannelId, createdTime }: Raised) => ({
  deviceId,
  deviceChannelId: deviceChannelId ?? undefined,
  alarmLogId,
  at: createdTime.toISOString(),
});
