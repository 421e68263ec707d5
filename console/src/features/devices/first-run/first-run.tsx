import { IconBell, IconCheck, IconPlugConnectedX, IconTag } from "@tabler/icons-react";
import { alarms } from "@telltale/contract/domains/alarms";
import { channels } from "@telltale/contract/domains/channels";
import { DeviceStatus, devices, type SubDeviceRow } from "@telltale/contract/domains/devices";
import { LiveCommand } from "@telltale/contract/live";
import { counted } from "@telltale/contract/text/counted";
import { type ReactNode, useState } from "react";
import { useLiveRefetch } from "../../../session/live/use-live-refetch.ts";
import { useSession } from "../../../session/session.ts";
import { useCall } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import { Link } from "../../../ui/router/link.tsx";
import { AddDeviceDialog } from "../add/add-device.tsx";
import classes from "./first-run.module.css";

/** This browser does not want to see the steps again. */
const key = "telltale-first-run";
const declined = "declined";

const quiet = { meta: { quiet: true, isShownInPlace: true } } as const;

/** The plant's only device, `null` before there is one, and what of it is done; undefined where the steps do not help: unknown yet, several devices, all done. */
const useSteps = () => {
  const { data: list } = useCall(devices.list, { size: 2 }, quiet);
  const device: SubDeviceRow | undefined = list?.data[0];
  const { data: known } = useCall(
    channels.info,
    { deviceId: device?.deviceId ?? 0 },
    { ...quiet, enabled: device !== undefined },
  );
  const { data: rules } = useCall(alarms.list, { size: 1 }, { ...quiet, enabled: device !== undefined });
  const hasSpoken = device !== undefined && device.status !== DeviceStatus.inactive;
  // The limits that a device comes with are no step that somebody has taken.
  const isLimited = known?.some(({ hasOwnLimit }) => hasOwnLimit) || (rules !== undefined && rules.total > 0);
  // Of a plant with several devices, or whose steps are done, nothing is asked for again.
  const isUnderWay = list !== undefined && list.total <= 1 && !(hasSpoken && isLimited);
  const changes = [LiveCommand.dashboardChange, LiveCommand.alertChange];
  useLiveRefetch([devices.list, channels.info, alarms.list], isUnderWay ? changes : []);
  // A device that speaks for the first time changes no list: its tile's first value says so.
  useLiveRefetch([devices.list], isUnderWay && !hasSpoken ? [LiveCommand.value] : []);
  if (!isUnderWay || (device && !(known && rules))) return undefined;
  return { device: device ?? null, hasSpoken, hasLimit: isLimited };
};

interface StepProps {
  number: number;
  title: string;
  isDone: boolean;
  /** The first that is not done. */
  isNext: boolean;
  text: string;
  children: ReactNode;
  foot: ReactNode;
}

const Step = ({ number, title, isDone, isNext, text, children, foot }: StepProps) => (
  <li className={classes.step} data-next={isNext || undefined} aria-current={isNext ? "step" : undefined}>
    <h3>
      <span className={classes.number} data-done={isDone || undefined}>
        {isDone ? <IconCheck size={16} stroke={2.4} aria-label="Done" /> : number}
      </span>
      {title}
    </h3>
    <p>{text}</p>
    <div className={classes.middle}>{children}</div>
    <small>{foot}</small>
  </li>
);

/** The three steps of a plant without devices to its first tile that can light: gone when they are done. */
export const FirstRun = (): ReactNode => {
  const { account, can } = useSession();
  const [isDeclined, setDeclined] = useState(() => localStorage.getItem(key) === declined);
  return can("devices.add") && can("configuration.read") && can("alarms.read") && !isDeclined ? (
    <Steps
      plant={account.alias || account.firstAlias || account.accountNo}
      onDecline={() => {
        localStorage.setItem(key, declined);
        setDeclined(true);
      }}
    />
  ) : null;
};

const Steps = ({ plant, onDecline }: { plant: string; onDecline: () => void }) => {
  const steps = useSteps();
  const [isAdding, setAdding] = useState(false);
  if (!steps) return null;
  const { device, hasSpoken, hasLimit: isLimited } = steps;
  const left = [hasSpoken, isLimited].filter((isDone) => !isDone).length;
  return (
    <section className={classes.run} aria-labelledby="first-run">
      <h2 id="first-run">
        {device ? `${plant}: ${counted(left, "step")} to the first alert` : `${plant} has no devices yet`}
      </h2>
      <p className={classes.lead}>
        Three steps to a tile that lights when it should. They disappear when they are done.{" "}
        <button type="button" className={classes.decline} onClick={onDecline}>
          Do not show them
        </button>
      </p>
      <ol className={classes.steps}>
        <Step
          number={1}
          title="Add a device"
          isDone={device !== null}
          isNext={device === null}
          text="The ID is on the label of the device, twelve characters of 0 to 9 and A to F."
          foot={
            <>
              <IconTag size={16} stroke={1.7} aria-hidden />
              {device ? device.deviceSnId : "The wizard asks for the ID first"}
            </>
          }
        >
          {device ? <b>{device.deviceName}</b> : <Button onClick={() => setAdding(true)}>Add the first device</Button>}
        </Step>
        <Step
          number={2}
          title="Let it speak"
          isDone={hasSpoken}
          isNext={device !== null && !hasSpoken}
          text="Power it up. The first reading appears on its tile, usually within one report interval."
          foot={
            <>
              <IconPlugConnectedX size={16} stroke={1.7} aria-hidden />
              <span>
                No reading? <Link to="/support">Check the connection</Link>
              </span>
            </>
          }
        >
          <div className={classes.ghost} data-done={hasSpoken || undefined}>
            <b>{hasSpoken ? "It has spoken" : "Waiting"}</b>
            <span>{device?.deviceName ?? "Your device"}</span>
          </div>
        </Step>
        <Step
          number={3}
          title="Set a limit"
          isDone={isLimited}
          isNext={hasSpoken && !isLimited}
          text="A telltale is dark while all is well. Set the value at which it lights, and who is notified."
          foot={
            <>
              <IconBell size={16} stroke={1.7} aria-hidden />
              <span>
                E-mail and SMS go to <Link to="/configureAlarmNotifyUser">contacts</Link>
              </span>
            </>
          }
        >
          {device && (
            <Button
              variant={hasSpoken ? "filled" : "default"}
              component={Link}
              to="/configureDevicesAdd"
              search={{ deviceId: device.deviceId }}
            >
              Set a limit
            </Button>
          )}
        </Step>
      </ol>
      <AddDeviceDialog purpose="device" isOpen={isAdding} onClose={() => setAdding(false)} />
    </section>
  );
};
