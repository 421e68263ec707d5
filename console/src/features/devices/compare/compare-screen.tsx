import { Checkbox } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { mostCompared } from "@telltale/contract/domains/readings/trends";
import { counted } from "@telltale/contract/text/counted";
import type { Zone } from "@telltale/contract/text/wall-clock";
import { useMemo, useState } from "react";
import { DeviceListLink } from "../../../domain/devices/device-links.tsx";
import { Button } from "../../../ui/control/button.tsx";
import { CopyLinkButton } from "../../../ui/control/copy-link-button.tsx";
import { ZonedPage } from "../../../ui/format/page-zone.tsx";
import { EmptyState } from "../../../ui/page/message.tsx";
import { PageTitle } from "../../../ui/page/page-title.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { downloadShown } from "../chart/download-shown.ts";
import { ChartSkeleton } from "../readings/readings-skeleton.tsx";
import { TrendBar } from "../trend/trend-bar.tsx";
import { useView } from "../trend/use-address.ts";
import { useZoneChoice, ZoneSwitch } from "../trend/zone-switch.tsx";
import { ChannelChips } from "./channel-chips.tsx";
import { ChannelPicker } from "./channel-picker.tsx";
import { CompareChart } from "./compare-chart.tsx";
import classes from "./compare-screen.module.css";
import { CompareTable } from "./compare-table.tsx";
import { hasReadings, type Line } from "./plots.ts";
import { useComparedIds } from "./use-compare-address.ts";
import { type Compared, useCompared } from "./use-compared.ts";

const download = (lines: readonly Line[], zone: Zone) => {
  const range = lines[0]?.model.range;
  if (!range) return;
  const named = lines.map(({ model, deviceName }) => ({ ...model, name: `${model.name} - ${deviceName}` }));
  downloadShown(named, range, { start: 0, end: 100 }, zone);
};

const summary = (channels: readonly Compared[]): string => {
  const devices = new Set(channels.flatMap(({ info }) => info?.deviceId ?? []));
  return `${channels.length} of ${mostCompared} channels, ${counted(devices.size, "device")}. The address keeps this view.`;
};

const linesOf = (channels: readonly Compared[]): Line[] =>
  channels.flatMap(({ channelId, place, info, model }) =>
    info && model ? [{ channelId, place, deviceName: info.deviceName, model }] : [],
  );

interface ShownProps {
  channels: readonly Compared[];
  lines: readonly Line[];
  includesLimits: boolean;
}

/** The chart with its table: they share the cursor. */
const Shown = ({ channels, lines, includesLimits }: ShownProps) => {
  const [cursor, setCursor] = useState<number>();
  const isLoading = channels.some(({ model, error }) => !model && !error);
  return (
    <>
      <div className={classes.chart}>
        {lines.some(({ model }) => hasReadings(model)) ? (
          <CompareChart lines={lines} includesLimits={includesLimits} cursor={cursor} onCursor={setCursor} />
        ) : isLoading ? (
          <ChartSkeleton />
        ) : lines.length > 0 ? (
          <EmptyState>No readings in this range</EmptyState>
        ) : (
          <EmptyState>Choose up to {mostCompared} channels, of any devices</EmptyState>
        )}
      </div>
      <CompareTable lines={lines} cursor={cursor} />
    </>
  );
};

/** Up to four channels of any devices over one another. The address keeps them, and the window. */
export const CompareScreen = () => {
  const { ids, add, remove } = useComparedIds();
  const given = useView();
  // Without a choice it is a day, as on the device screen.
  const view = useMemo(() => (given.range || given.span ? given : { ...given, span: "24h" as const }), [given]);
  const [deviceZone, setDeviceZone] = useState("UTC");
  const choice = useZoneChoice(deviceZone);
  const { zone } = choice;
  const channels = useCompared(ids, view, zone);
  const firstZone = channels.find(({ info }) => info)?.info?.timeZoneId;
  if (firstZone && firstZone !== deviceZone) setDeviceZone(firstZone);
  const [includesLimits, setIncludesLimits] = useState(true);
  const lines = linesOf(channels);
  const hasLimits = lines.some(({ model }) => model.thresholds.length > 0);
  return (
    <ZonedPage zone={zone}>
      <PageTitle
        aside={
          <>
            <ZoneSwitch {...choice} />
            <CopyLinkButton className={classes.button}>Copy link</CopyLinkButton>
            <Button
              className={classes.button ?? ""}
              variant="default"
              size="xs"
              leftSection={<IconDownload size={16} aria-hidden />}
              disabled={lines.length === 0}
              onClick={() => download(lines, zone)}
            >
              Download
            </Button>
          </>
        }
      >
        <small>
          <DeviceListLink /> /
        </small>{" "}
        Compare
      </PageTitle>
      <p className={classes.summary}>{summary(channels)}</p>
      <div className={classes.columns}>
        <ChannelPicker ids={ids} onAdd={add} onRemove={remove} />
        <div className={classes.main}>
          <Panel>
            {channels.length > 0 && <ChannelChips channels={channels} onRemove={remove} />}
            <TrendBar view={view} zone={zone} />
            {hasLimits && (
              <div className={classes.options}>
                <Checkbox
                  size="xs"
                  classNames={{ body: classes.body }}
                  label="Include limits"
                  checked={includesLimits}
                  onChange={(event) => setIncludesLimits(event.currentTarget.checked)}
                />
              </div>
            )}
            <Shown channels={channels} lines={lines} includesLimits={includesLimits} />
          </Panel>
        </div>
      </div>
    </ZonedPage>
  );
};
