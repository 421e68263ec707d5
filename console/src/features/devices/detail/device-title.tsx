import { Menu } from "@mantine/core";
import { IconAdjustmentsHorizontal, IconChevronLeft, IconDotsVertical, IconDownload } from "@tabler/icons-react";
import { type DeviceDetail, DeviceStatus } from "@telltale/contract/domains/devices";
import { type ReactNode, useState } from "react";
import { DeviceListLink } from "../../../domain/devices/device-links.tsx";
import { deviceStatusLook } from "../../../domain/devices/device-status.ts";
import { linkFromConfiguration } from "../../../domain/devices/model-links.ts";
import { useSession } from "../../../session/session.ts";
import { Button } from "../../../ui/control/button.tsx";
import { IconButton } from "../../../ui/control/icon-button.tsx";
import { PageTitle } from "../../../ui/page/page-title.tsx";
import { useCloseOnBack } from "../../../ui/router/hooks.ts";
import { Link } from "../../../ui/router/link.tsx";
import { Glyph } from "../../../ui/status/glyph.tsx";
import classes from "./device-title.module.css";

/** Opens the download for a device; absent for accounts that may not download. */
export type OnDownload = ((device: DeviceDetail) => void) | undefined;

interface DeviceTitleProps {
  device: DeviceDetail;
  onDownload: OnDownload;
  isPhone: boolean;
  /** Beside the buttons of a wide screen. */
  children: ReactNode;
}

/** How the device is, where it is not as it should be. */
const Status = ({ device: { status } }: Pick<DeviceTitleProps, "device">) => {
  if (status === DeviceStatus.normal) return null;
  const { label, glyph, tone } = deviceStatusLook(status);
  return (
    <span className={classes.status} data-tone={tone}>
      <Glyph name={glyph} size={14} />
      {label}
    </span>
  );
};

const Names = ({ device: { deviceSn, deviceSnId, parentDeviceName } }: Pick<DeviceTitleProps, "device">) => (
  <p className={classes.names}>
    <span>{deviceSn}</span>
    <span className={classes.id}>{deviceSnId}</span>
    {parentDeviceName && <span>{parentDeviceName}</span>}
  </p>
);

interface ActionsProps extends Pick<DeviceTitleProps, "device" | "isPhone" | "onDownload"> {
  mayConfigure: boolean;
}

const icons = {
  download: <IconDownload size={17} stroke={1.7} aria-hidden />,
  configure: <IconAdjustmentsHorizontal size={17} stroke={1.7} aria-hidden />,
};

/** On a phone they are a menu, which Back closes. */
const ActionMenu = ({ device, onDownload, mayConfigure }: Omit<ActionsProps, "isPhone">) => {
  const [isOpen, setOpen] = useState(false);
  useCloseOnBack(isOpen, () => setOpen(false));
  return (
    <Menu
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width={220}
      classNames={{ item: classes.item ?? "" }}
    >
      <Menu.Target>
        <IconButton aria-label="Download and Configure" className={classes.more}>
          <IconDotsVertical size={21} stroke={1.8} aria-hidden />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        {onDownload && (
          <Menu.Item leftSection={icons.download} onClick={() => onDownload(device)}>
            Download
          </Menu.Item>
        )}
        {mayConfigure && (
          <Menu.Item component={Link} {...linkFromConfiguration(device)} leftSection={icons.configure}>
            Configure
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
};

const Actions = ({ isPhone, ...props }: ActionsProps) => {
  const { device, onDownload, mayConfigure } = props;
  if (isPhone) return <ActionMenu {...props} />;
  return (
    <>
      {onDownload && (
        <Button variant="default" size="xs" leftSection={icons.download} onClick={() => onDownload(device)}>
          Download
        </Button>
      )}
      {mayConfigure && (
        <Button
          variant="default"
          size="xs"
          component={Link}
          {...linkFromConfiguration(device)}
          leftSection={icons.configure}
        >
          Configure
        </Button>
      )}
    </>
  );
};

/** Back to the list, on a phone. */
const Back = ({ isPhone }: Pick<DeviceTitleProps, "isPhone">) => {
  const { can } = useSession();
  return (
    isPhone &&
    can("devices.list") && (
      <IconButton component={Link} to="/devices" aria-label="Back to DEVICES" className={classes.back}>
        <IconChevronLeft size={22} stroke={2} aria-hidden />
      </IconButton>
    )
  );
};

/** The title while the device loads, as high as with its names. */
export const DeviceTitleSkeleton = ({ isPhone }: Pick<DeviceTitleProps, "isPhone">) => (
  <PageTitle before={<Back isPhone={isPhone} />} under={<p className={classes.names}>&nbsp;</p>}>
    <small>
      <DeviceListLink />
    </small>
  </PageTitle>
);

/** The device's name, what it is called elsewhere, and what can be done with it. */
export const DeviceTitle = ({ device, onDownload, isPhone, children }: DeviceTitleProps) => {
  const mayConfigure = useSession().can("configuration.read");
  return (
    <PageTitle
      before={<Back isPhone={isPhone} />}
      under={<Names device={device} />}
      beside={<Status device={device} />}
      aside={
        <>
          {!isPhone && children}
          {(onDownload || mayConfigure) && <Actions {...{ device, isPhone, onDownload, mayConfigure }} />}
        </>
      }
    >
      {!isPhone && (
        <small>
          <DeviceListLink /> /{" "}
        </small>
      )}
      {device.deviceName}
    </PageTitle>
  );
};
