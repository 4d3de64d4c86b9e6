// Time zones for the program, whose C library knows none: the moments at which the offset from UTC changes.

// Logs of agents are younger than the first, and the second is as far as 32-bit times go.
const kFirst = Date.UTC(2000, 0, 1) / 1e3, kLast = Date.UTC(2038, 0, 1) / 1e3;
const kStep = 14 * 86400;  // seconds; no zone changed twice in two weeks, not even for Ramadan
// Each names the zones of its own part of the world only, others as GMT+2.
const kLocales = ["en-US", "en-GB", "en-AU", "en-CA", "en-NZ", "en-IN", "en-ZA"];

const aheadAt = (time) => -60 * new Date(time * 1e3).getTimezoneOffset();

/// `+03`, `+0530`: as the database of time zones names what has no name.
function offsetName(ahead) {
  const minutes = Math.round(Math.abs(ahead) / 60), two = (count) => String(count).padStart(2, "0");
  return (ahead < 0 ? "-" : "+") + two(Math.floor(minutes / 60)) + (minutes % 60 ? two(minutes % 60) : "");
}

function nameAt(time, ahead) {
  for (const locale of kLocales) {
    const parts = new Intl.DateTimeFormat(locale, {timeZoneName: "short"}).formatToParts(time * 1e3);
    const name = parts.find((part) => part.type === "timeZoneName").value;
    if (/^[A-Z]{2,5}$/.test(name)) return name;
  }
  return offsetName(ahead);
}

/// Returns `-:3600:CET,954032400:7200:CEST,…`: since when (`-`: always), seconds ahead of UTC, the name. Names
/// take 30 ms to find, so they are offsets unless `named`.
export function describeZone(variable, named) {
  // A zone as POSIX writes it, `CET-1` or `<+03>-3`, is east of Greenwich if its offset is negative.
  const plain = variable?.match(/^(?:<([+\w-]+)>|([A-Za-z]{3,}))([+-]?)(\d{1,2})(?::(\d\d))?$/);
  if (plain) {
    const [, quoted, word, sign, hours, minutes = "0"] = plain;
    return `-:${(sign === "-" ? 1 : -1) * (hours * 3600 + minutes * 60)}:${quoted ?? word}`;
  }
  const names = new Map();
  const entry = (from, ahead) => {
    if (!names.has(ahead)) names.set(ahead, named ? nameAt(from === "-" ? kFirst : from, ahead) : offsetName(ahead));
    return `${from}:${ahead}:${names.get(ahead)}`;
  };
  const entries = [entry("-", aheadAt(kFirst))];
  for (let time = kFirst; time < kLast; time += kStep) {
    const ahead = aheadAt(time + kStep);
    if (ahead === aheadAt(time)) continue;
    let before = time, after = time + kStep;
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (aheadAt(middle) === ahead) after = middle;
      else before = middle;
    }
    entries.push(entry(after, ahead));
  }
  return entries.length === 1 && entries[0] === "-:0:+00" ? "-:0:UTC" : entries.join(",");
}
