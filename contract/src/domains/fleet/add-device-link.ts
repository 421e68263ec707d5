/** Path of the console's page that adds the device named in `id`; a label's QR code holds its address. */
export const addDevicePath = "/addDevice";

/** The link of a label's QR code. */
export const addDeviceLink = (publicUrl: string, deviceSnId: string): string =>
  `${publicUrl}${addDevicePath}?${new URLSearchParams({ id: deviceSnId })}`;
