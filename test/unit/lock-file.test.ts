/** The lock file: every package that npm ci installs is checked against a digest. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface LockedPackage {
  readonly integrity?: string;
  readonly link?: boolean;
  readonly resolved?: string;
}

const { packages } = JSON.parse(readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8")) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};
const installed = Object.entries(packages).filter(([path, { link }]) => path !== "" && !link);

test("every entry has its integrity, by SHA-512", () => {
  expect(installed.length).toBeGreaterThan(100);
  const without = installed.filter(([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ""));
  expect(without.map(([path]) => path)).toEqual([]);
});

test("every entry comes from the public registry, or names no place", () => {
  const elsewhere = installed.filter(
    ([, { resolved }]) => resolved !== undefined && !resolved.startsWith("https://registry.npmjs.org/"),
  );
  expect(elsewhere.map(([path, { resolved }]) => `${path} ${resolved}`)).toEqual([]);
});
