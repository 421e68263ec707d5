import { Select } from "@mantine/core";
import { DataType, type DownloadDevice, dataTypeLabels } from "@telltale/contract/domains/readings/downloads";
import { type ReactNode, Suspense, useId } from "react";
import { DeviceField } from "../../domain/devices/device-field.tsx";
import { fieldClasses, validationError } from "../../form/text-field.tsx";
import { SubmitDialog } from "../../ui/dialog/submit-dialog.tsx";
import { lazyWithRetry } from "../../ui/load-with-retry.ts";
import { PackageField } from "./package-field.tsx";
import { type Download, useDownload } from "./use-download.ts";

// The calendar is large, and only one of the two kinds of data needs it.
const DaysField = lazyWithRetry(() => import("./days-field.tsx"), "DaysField");

const viewerZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const types = Object.entries(dataTypeLabels).map(([value, label]) => ({ value, label }));

const Fields = ({ choice, validationErrors, change }: Download): ReactNode => (
  <>
    <DeviceField
      label="DEVICE"
      value={choice.device}
      error={validationErrors.device}
      onChange={(device) => change({ device, packLogId: null })}
    />
    <Select
      label="DATA"
      placeholder="Choose data or Consolidated data"
      data={types}
      value={choice.type === null ? null : String(choice.type)}
      onChange={(type) => change({ type: type === null ? null : (Number(type) as DataType) })}
      error={validationError(validationErrors.type)}
      classNames={fieldClasses}
    />
    {choice.type === DataType.consolidated && (
      <PackageField
        device={choice.device}
        value={choice.packLogId}
        error={validationErrors.package}
        onChange={(packLogId) => change({ packLogId })}
      />
    )}
    {choice.type === DataType.chosen && (
      <Suspense>
        <DaysField
          timeZoneId={choice.device?.timeZoneId ?? viewerZone}
          value={choice.days}
          error={validationErrors.days}
          onChange={(days) => change({ days })}
        />
      </Suspense>
    )}
  </>
);

interface DownloadDialogProps {
  /** Chosen when it opens. */
  device?: DownloadDevice;
  isOpen: boolean;
  onClose: () => void;
}

/** 'DOWNLOAD TELLTALE DATA': the readings of one device as a spreadsheet. (spec 1 §2) */
export const DownloadDialog = ({ device, isOpen, onClose }: DownloadDialogProps): ReactNode => {
  const formId = useId();
  const download = useDownload(onClose, device ?? null);
  return (
    <SubmitDialog
      isOpen={isOpen}
      onClose={download.cancel}
      title="DOWNLOAD TELLTALE DATA"
      formId={formId}
      action="Download data"
      isBusy={download.isBusy}
    >
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          download.submit();
        }}
      >
        <Fields {...download} />
      </form>
    </SubmitDialog>
  );
};
