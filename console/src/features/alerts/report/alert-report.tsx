import { IconArrowNarrowLeft, IconArrowNarrowRight, IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import type { CallError } from "@telltale/contract/call/client";
import { alertReports, type AlertReport as Report } from "@telltale/contract/domains/alerting/report";
import { counted } from "@telltale/contract/text/counted";
import { monthOf, monthText, monthTitle } from "@telltale/contract/text/months";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import { type ReactNode, useEffect } from "react";
import { showFailure } from "../../../session/query.ts";
import { saveFile } from "../../../session/save-file.ts";
import { useCall } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import { EmptyState, ErrorState } from "../../../ui/page/message.tsx";
import { PageTitle } from "../../../ui/page/page-title.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { useNavigate } from "../../../ui/router/hooks.ts";
import { Link } from "../../../ui/router/link.tsx";
import { AlertTabs } from "../alert-tabs.tsx";
import classes from "./alert-report.module.css";
import { Figures } from "./figures.tsx";
import { Floods } from "./floods.tsx";
import { FrequentRules } from "./frequent-rules.tsx";
import { HoursMap } from "./hours-map.tsx";

/** Prints the page in the light theme: browsers leave out dark grounds, and light text on paper cannot be read. */
export const usePrintedLight = (): void => {
  useEffect(() => {
    const { dataset } = document.documentElement;
    let shown: string | undefined;
    const toLight = () => {
      shown = dataset.mantineColorScheme;
      dataset.mantineColorScheme = "light";
    };
    const back = () => {
      if (shown !== undefined) dataset.mantineColorScheme = shown;
    };
    window.addEventListener("beforeprint", toLight);
    window.addEventListener("afterprint", back);
    return () => {
      window.removeEventListener("beforeprint", toLight);
      window.removeEventListener("afterprint", back);
    };
  }, []);
};

/** A step to the month before or after; without one it cannot be used. */
const Step = ({ to, label, children }: { to: number | undefined; label: string; children: ReactNode }) =>
  to === undefined ? (
    <Button variant="default" size="xs" disabled aria-label={label}>
      {children}
    </Button>
  ) : (
    <Button
      variant="default"
      size="xs"
      aria-label={label}
      component={Link}
      to="/alarms/report"
      search={{ month: monthText(to) }}
    >
      {children}
    </Button>
  );

/** Chooses the month: one by one, or from all that the plant has. */
const MonthChoice = ({ report: { month, firstMonth, lastMonth } }: { report: Report }) => {
  const navigate = useNavigate();
  const [shown, first, last] = [monthOf(month), monthOf(firstMonth), monthOf(lastMonth)];
  const months = Array.from({ length: last - first + 1 }, (_, at) => last - at);
  return (
    <>
      <Step to={shown > first ? shown - 1 : undefined} label="Previous month">
        <IconArrowNarrowLeft size={16} aria-hidden />
      </Step>
      <select
        aria-label="Month"
        className={classes.month}
        value={month}
        onChange={({ currentTarget }) =>
          void navigate({ to: "/alarms/report", search: { month: currentTarget.value } })
        }
      >
        {months.map((each) => (
          <option key={each} value={monthText(each)}>
            {monthTitle(each)}
          </option>
        ))}
      </select>
      <Step to={shown < last ? shown + 1 : undefined} label="Next month">
        <IconArrowNarrowRight size={16} aria-hidden />
      </Step>
    </>
  );
};

/** Saves the report as PDF. */
const PdfButton = ({ month }: { month: string }) => {
  const { mutate, isPending } = useMutation<void, CallError>({
    mutationFn: () => saveFile(alertReports.pdf, { month }),
    onError: showFailure,
  });
  return (
    <Button
      variant="default"
      size="xs"
      loading={isPending}
      leftSection={<IconDownload size={16} aria-hidden />}
      onClick={() => mutate()}
    >
      PDF
    </Button>
  );
};

/** What the figures leave out, and that the month goes on. */
const Remarks = ({ report: { suppressed, isRunning, to, timeZone } }: { report: Report }) => {
  const remarks = [
    isRunning && `Until now, ${zoneOf(timeZone).stamp(to).slice(0, 16)}.`,
    suppressed > 0 && `${counted(suppressed, "alert")} raised while silenced: in none of these figures.`,
    `Targets after ISA-18.2 and EEMUA 191. Times in ${timeZone}.`,
  ].filter(Boolean);
  return (
    <p className={classes.remarks}>
      {remarks.join(" ")}{" "}
      <Link to="/support" search={{ tab: "documentation", tutorial: "alert-report" }}>
        What the figures mean
      </Link>
    </p>
  );
};

const Loaded = ({ report }: { report: Report }) => (
  <>
    {report.total === 0 ? (
      <Panel>
        <EmptyState>There were no alerts in {monthTitle(monthOf(report.month))}</EmptyState>
      </Panel>
    ) : (
      <>
        <Figures report={report} />
        <div className={classes.panels}>
          <FrequentRules report={report} />
          <div className={classes.column}>
            <HoursMap report={report} />
            <Floods report={report} />
          </div>
        </div>
      </>
    )}
    <Remarks report={report} />
  </>
);

/** /alarms/report: how well the alarm system did in a month. */
export const AlertReport = ({ month }: { month: string | undefined }): ReactNode => {
  usePrintedLight();
  const { data, error, isPlaceholderData, refetch } = useCall(alertReports.read, { month }, { meta: { quiet: true } });
  const buttons = data && (
    <>
      <MonthChoice report={data} />
      <PdfButton month={data.month} />
    </>
  );
  return (
    <div className={classes.report} aria-busy={!error && (!data || isPlaceholderData)}>
      <PageTitle aside={buttons}>
        ALERT{" "}
        {data && (
          <small className={classes.printed}>{`Report of ${data.plantName}, ${monthTitle(monthOf(data.month))}`}</small>
        )}
      </PageTitle>
      <AlertTabs current="REPORT" />
      {error && (
        <Panel>
          <ErrorState error={error} onRetry={() => void refetch()} />
        </Panel>
      )}
      {!error && data && <Loaded report={data} />}
      {!error && !data && (
        <div role="status" aria-label="Loading the report">
          <Panel className={classes.waiting ?? ""}>{null}</Panel>
          <Panel className={`${classes.waiting} ${classes.tall}`}>{null}</Panel>
        </div>
      )}
    </div>
  );
};
