import { Skeleton } from "@mantine/core";
import type { PayOption } from "@telltale/contract/domains/billing";
import { type ReactNode, useId } from "react";
import { dollars } from "../../../ui/format/money.ts";
import classes from "./package-field.module.css";

interface PackageFieldProps {
  options: readonly PayOption[];
  value: number;
  onChange: (packageId: number) => void;
}

/** The packages: report interval limit, storage space, price per year. */
export const PackageField = ({ options, value, onChange }: PackageFieldProps): ReactNode => {
  const name = useId();
  return (
    <fieldset className={classes.packages}>
      <legend>Package</legend>
      {options.map(({ packageId, reportIntervalLimit, storageSpace, money }) => (
        <label key={packageId} className={classes.option}>
          <input
            type="radio"
            name={name}
            checked={packageId === value}
            onChange={() => onChange(packageId)}
            data-autofocus={packageId === value || undefined}
          />
          <span className={classes.what}>
            <span>
              <b>{reportIntervalLimit} s</b> report interval
            </span>
            <span>
              <b>{storageSpace} GB</b> storage space
            </span>
          </span>
          <span className={classes.price}>
            <b>{dollars(money)}</b> a year
          </span>
        </label>
      ))}
    </fieldset>
  );
};

const places = ["first", "second", "third"];

/** Placeholder for the packages while they load. */
export const PackagesSkeleton = (): ReactNode => (
  <>
    {places.map((place) => (
      <Skeleton key={place} height={44} radius="sm" />
    ))}
  </>
);
