import { IconAlertTriangle } from "@tabler/icons-react";
import { type DeviceDetail, DeviceType } from "@telltale/contract/domains/devices";
import type { DeviceStorage } from "@telltale/contract/domains/readings/storage";
import { count } from "@telltale/contract/text/counted";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import { type ReactNode, useContext, useId } from "react";
import { useSession } from "../../../session/session.ts";
import { Button } from "../../../ui/control/button.tsx";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { PageZone } from "../../../ui/format/time.ts";
import { KeepForm } from "./keep-form.tsx";
import classes from "./storage-dialog.module.css";
import { keptText, usedPart, usedText } from "./storage-text.ts";
import { useKeepReadings } from "./use-keep-readings.tsx";

interface StorageDialogProps {
  device: DeviceDetail;
  storage: DeviceStorage;
  isOpen: boolean;
  onClose: () => void;
}

const Usage = ({ device, storage }: Pick<StorageDialogProps, "device" | "storage">) => {
  const zone = useContext(PageZone) ?? zoneOf(device.timeZoneId);
  const part = usedPart(storage);
  const { readings, readingsFrom, monthsKept, notice } = storage;
  return (
    <>
      {notice && (
        <p className={classes.notice} role="status">
          <IconAlertTriangle size={16} aria-hidden />
          The storage space is used up. From {zone.day(notice.summarisedTime)} on the oldest readings become summaries
          of hours. Download them before, or buy a package with more storage space.
        </p>
      )}
      <dl className={classes.facts}>
        <dt>Used</dt>
        <dd>{usedText(storage)}</dd>
        <dt>Readings</dt>
        <dd>{count(readings)}</dd>
        <dt>Kept for</dt>
        <dd>{keptText(monthsKept)}</dd>
        {readingsFrom && (
          <>
            <dt>Summaries before</dt>
            <dd>{zone.day(readingsFrom)}</dd>
          </>
        )}
      </dl>
      {part !== null && (
        <meter className={classes.meter} min={0} max={1} high={0.9} value={part} aria-label="Storage space used" />
      )}
      <p className={classes.explained}>
        {device.deviceType === DeviceType.main && "With its sub-devices. "}
        Readings that are no longer kept become summaries: minimum, maximum and mean of each hour, which charts go on to
        show.
      </p>
    </>
  );
};

/** What a device uses of its storage space, and for how long its readings are kept, which the owner may change. */
export const StorageDialog = ({ device, storage, isOpen, onClose }: StorageDialogProps): ReactNode => {
  const formId = useId();
  const { can } = useSession();
  const mayKeep = can("storage.write");
  const { keep, isBusy, question } = useKeepReadings(device, onClose);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Storage"
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {mayKeep ? "Cancel" : "Close"}
          </Button>
          {mayKeep && (
            <Button type="submit" form={formId} loading={isBusy}>
              Confirm
            </Button>
          )}
        </>
      }
    >
      <Usage device={device} storage={storage} />
      {mayKeep && <KeepForm formId={formId} device={device} monthsKept={storage.monthsKept} onKeep={keep} />}
      {question}
    </Dialog>
  );
};
