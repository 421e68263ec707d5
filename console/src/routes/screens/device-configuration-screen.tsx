import { DeviceConfiguration } from "../../features/channels/configuration/device-configuration.tsx";
import { useDeviceSettings } from "../../features/devices/configure/use-device-settings.tsx";
import { NotFound } from "../shell/failures.tsx";

interface DeviceConfigurationSearch {
  deviceId: number | undefined;
  edit: string | undefined;
}

/** A device's configuration. The device's own model decides what is shown, whatever `typeId` the address contains. */
export const DeviceConfigurationScreen = ({ deviceId, edit }: DeviceConfigurationSearch) => {
  const settings = useDeviceSettings();
  if (deviceId === undefined) return <NotFound />;
  return (
    <>
      <DeviceConfiguration key={deviceId} deviceId={deviceId} isReadOnly={edit === "no"} onEditInfo={settings.edit} />
      {settings.dialog}
    </>
  );
};
