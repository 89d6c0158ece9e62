import { describe, expect, it } from "vitest";
import { packText, unpackText } from "../../../studio/src/state/address-text.ts";

describe("addresses", () => {
  it("can contain any text", async () => {
    for (const text of ["", "name: ü ω 😀\n", "x".repeat(200_000)]) {
      const packed = await packText(text);
      expect(packed).toMatch(/^[\w-]*$/);
      expect(await unpackText(packed)).toBe(text);
    }
    const whole = await packText("something longer than nothing");
    await expect(unpackText(whole.slice(0, 9))).rejects.toThrow("may have been cut off");
    await expect(unpackText("§")).rejects.toThrow("may have been cut off");
    const bomb = await packText("0".repeat(33e6));
    expect(bomb.length).toBeLessThan(50_000);
    await expect(unpackText(bomb)).rejects.toThrow("unpacks to more than 32 MB");
  });
});
