import { useSearch } from "@tanstack/react-router";
import { DeviceConfiguration } from "../../features/channels/configuration/device-configuration.tsx";
import { useDeviceSettings } from "../../features/devices/configure/use-device-settings.tsx";
import { NotFound } from "../shell/failures.tsx";

/** How one device is set up. Its own model decides what is shown, whatever `typeId` the address says. */
export const DeviceConfigurationScreen = () => {
  const settings = useDeviceSettings();
  const { deviceId, edit } = useSearch({ strict: false }) as Record<string, unknown>;
  if (typeof deviceId !== "string" || !/^\d{1,9}$/.test(deviceId)) return <NotFound />;
  return (
    <>
      <DeviceConfiguration
        key={deviceId}
        deviceId={Number(deviceId)}
        isReadOnly={edit === "no"}
        onEditInfo={settings.edit}
      />
      {settings.dialog}
    </>
  );
};
