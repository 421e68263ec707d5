import { useMatches } from "@tanstack/react-router";
import { useEffect } from "react";
import { useUnconfirmed, useWatchUnconfirmed } from "../../session/use-unconfirmed.ts";
import { documentTitle } from "../title.ts";

/** The page that is open, for title and menu. */
export const useOpenPage = () =>
  useMatches({ select: (matches) => matches.findLast(({ staticData }) => staticData.page)?.staticData.page });

const setIcon = (href: string) => {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon && icon.getAttribute("href") !== href) icon.setAttribute("href", href);
};

/** Tells by tab title and icon what waits for confirmation, also while another tab is in front. */
export const Telltale = () => {
  useWatchUnconfirmed();
  const page = useOpenPage();
  const { label } = useUnconfirmed();
  const title = documentTitle(page?.title ?? "Page not found", label);
  const isLit = label !== "0";
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    setIcon(isLit ? "/mark-alarm.svg" : "/mark.svg");
    return () => setIcon("/mark.svg");
  }, [isLit]);
  return null;
};
