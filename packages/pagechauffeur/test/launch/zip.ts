import { crc32 } from 'node:zlib';

/** A zip archive of one file, which anybody may execute. */
export function zipOf({ path, text }: { path: string; text: string }): Buffer {
  const [name, data] = [Buffer.from(path), Buffer.from(text)];
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt32LE(crc32(data), 10);
  common.writeUInt32LE(data.length, 14);
  common.writeUInt32LE(data.length, 18);
  common.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, data]);
  const attributes = Buffer.alloc(14);
  attributes.writeUInt32LE(0o100755 * 0x1_00_00, 6);
  // Made on Unix (3), whose modes the attributes are.
  const central = Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), common, attributes, name]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, central, Buffer.from('PK\x05\x06'), end]);
}
