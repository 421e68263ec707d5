import { Checkbox } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { mostCompared } from "@telltale/contract/domains/readings/trends";
import { counted } from "@telltale/contract/text/counted";
import type { Zone } from "@telltale/contract/text/wall-clock";
import { useMemo, useState } from "react";
import { DeviceListLink } from "../../../domain/devices/device-links.tsx";
import { useZoneChoice, ZoneSwitch } from "../../../domain/devices/zone-switch.tsx";
import { LostLine } from "../../../session/live/lost-line.tsx";
import { Button } from "../../../ui/control/button.tsx";
import { CopyLinkButton } from "../../../ui/control/copy-link-button.tsx";
import { ZonedPage } from "../../../ui/format/page-zone.tsx";
import { EmptyState } from "../../../ui/page/message.tsx";
import { PageTitle } from "../../../ui/page/page-title.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { ChartKeys } from "../chart/chart-options.tsx";
import { downloadShown } from "../chart/download-shown.ts";
import type { Limits } from "../chart/drawing/chart-model.ts";
import { ChartSkeleton } from "../readings/readings-skeleton.tsx";
import { TrendBar } from "../trend/trend-bar.tsx";
import { useView } from "../trend/use-address.ts";
import { ChannelChips } from "./channel-chips.tsx";
import { ChannelPicker } from "./channel-picker.tsx";
import { CompareChart } from "./compare-chart.tsx";
import classes from "./compare-screen.module.css";
import { CompareTable } from "./compare-table.tsx";
import { areLimitsNear, hasReadings, type Line } from "./plots.ts";
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
  limits: Limits;
}

/** The chart with its table: they share the cursor. */
const Shown = ({ channels, lines, limits }: ShownProps) => {
  const [cursor, setCursor] = useState<number>();
  const isLoading = channels.some(({ model, error }) => !model && !error);
  return (
    <>
      <div className={classes.chart}>
        {lines.some(({ model }) => hasReadings(model)) ? (
          <CompareChart lines={lines} limits={limits} cursor={cursor} onCursor={setCursor} />
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

interface OptionsProps {
  lines: readonly Line[];
  limits: Limits;
  onLimits: (limits: Limits) => void;
}

/** What the chart's signs mean, and whether it includes the limits: those near the lines, until the user says. */
const Options = ({ lines, limits, onLimits }: OptionsProps) => {
  const hasLimits = lines.some(({ model }) => model.thresholds.length > 0);
  const hasHeld = lines.some(({ model }) => model.held.size > 0);
  const hasGaps = lines.some(({ model }) => model.gaps.length > 0);
  if (!hasLimits && !hasHeld && !hasGaps) return null;
  return (
    <div className={classes.options}>
      <ChartKeys hasHeld={hasHeld} hasGaps={hasGaps} />
      {hasLimits && (
        <Checkbox
          size="xs"
          className={classes.include ?? ""}
          classNames={{ body: classes.body }}
          label="Include limits"
          checked={limits === "near" ? areLimitsNear(lines) : limits === "all"}
          onChange={(event) => onLimits(event.currentTarget.checked ? "all" : "none")}
        />
      )}
    </div>
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
  const lines = linesOf(channels);
  const [limits, setLimits] = useState<Limits>("near");
  return (
    <ZonedPage zone={zone}>
      <PageTitle
        aside={
          <>
            <ZoneSwitch {...choice} />
            <CopyLinkButton className={classes.button} search={{ span: view.span, zone: zone.name }}>
              Copy link
            </CopyLinkButton>
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
      <LostLine />
      <p className={classes.summary}>{summary(channels)}</p>
      <div className={classes.columns}>
        <ChannelPicker ids={ids} onAdd={add} onRemove={remove} />
        <div className={classes.main}>
          <Panel>
            {channels.length > 0 && <ChannelChips channels={channels} onRemove={remove} />}
            <TrendBar view={view} zone={zone} />
            <Options lines={lines} limits={limits} onLimits={setLimits} />
            <Shown channels={channels} lines={lines} limits={limits} />
          </Panel>
        </div>
      </div>
    </ZonedPage>
  );
};
