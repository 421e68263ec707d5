import { Skeleton } from "@mantine/core";
import type { SmsPackage } from "@telltale/contract/domains/billing";
import { count } from "@telltale/contract/text/counted";
import { type ReactNode, useId } from "react";
import { dollars } from "../../../ui/format/money.ts";
import classes from "./package-tiles.module.css";

interface PackageTilesProps {
  packages: readonly SmsPackage[];
  value: number;
  onChange: (packageId: number) => void;
}

/** Price of one SMS of a package, in cents with one decimal. */
const each = ({ money, smsNum }: SmsPackage): string => `${(money / smsNum).toFixed(1)} ¢ each`;

/** The SMS packages side by side. */
export const PackageTiles = ({ packages, value, onChange }: PackageTilesProps): ReactNode => {
  const name = useId();
  return (
    <fieldset className={classes.tiles}>
      <legend className={classes.legend}>Package</legend>
      {packages.map((one) => (
        <label key={one.packageId} className={classes.tile}>
          <input type="radio" name={name} checked={one.packageId === value} onChange={() => onChange(one.packageId)} />
          <b>{count(one.smsNum)} SMS</b>
          <span>{dollars(one.money)}</span>
          <small>{each(one)}</small>
        </label>
      ))}
    </fieldset>
  );
};

const places = ["first", "second", "third", "fourth"];

/** Placeholder for the packages while they load. */
export const PackageTilesSkeleton = (): ReactNode => (
  <div className={classes.still}>
    {places.map((place) => (
      <Skeleton key={place} height={92} radius="sm" />
    ))}
  </div>
);
