// Lua scripts for session slots. Redis runs one script at a time. All keys have the same hash tag, so that they are on
// one node of a cluster. Claims and queue entries expire unless they are renewed. A pool has the slots of one server,
// or of the Grids that all servers share. A request waits for a slot in any pool of its group.

const COMMON = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local queue, alive, entries = '{chauffeur}:requests', '{chauffeur}:requests:alive', '{chauffeur}:requests:entries'
local pools, offered = '{chauffeur}:pools', '{chauffeur}:pools:alive'
local function ofPool(pool) return '{chauffeur}:pool:' .. pool end
local function ofProject(project) return '{chauffeur}:project:' .. project end
local function count(key)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
  return redis.call('ZCARD', key)
end
local function mark(key, id, ms)
  redis.call('ZADD', key, now + ms, id)
  redis.call('PEXPIRE', key, ms * 2)
end
local function leaveQueue(id)
  redis.call('ZREM', queue, id)
  redis.call('ZREM', alive, id)
  redis.call('HDEL', entries, id)
end
local function offer(pool, group, address, capacity, ms)
  redis.call('HSET', pools, pool, cjson.encode({ group = group, address = address, capacity = capacity }))
  redis.call('ZADD', offered, now + ms, pool)
end
local function claim(pool, from, ms)
  for index = from, #ARGV, 2 do
    mark(ofPool(pool), ARGV[index], ms)
    mark(ofProject(ARGV[index + 1]), ARGV[index], ms)
  end
end
local function withdraw(pool)
  redis.call('HDEL', pools, pool)
  redis.call('ZREM', offered, pool)
end
`;

/**
 * Claims a slot for a session, or queues the request. Serves requests in order, but skips projects that have reached
 * their quota. Arguments: pool, group, URL and capacity of this server; duration of a claim in ms; id, project and turn
 * of the request (the turn is empty at first); quota and queue length per project; time in the queue in ms; `elsewhere`
 * if another server may start the session; id and project of each claim of this server.
 */
export const TAKE = `${COMMON}
local home, group, capacity, takenMs = ARGV[1], ARGV[2], tonumber(ARGV[4]), tonumber(ARGV[5])
local id, project, turn = ARGV[6], ARGV[7], ARGV[8]
local perProject, queuePerProject, waitingMs = tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11])
if turn == '' then turn = string.format('%.0f', time[1] * 1000000 + time[2]) end
local function answer(state, pool, more)
  return cjson.encode({ state = state, pool = pool, address = more, turn = turn })
end
local function take(pool, address)
  leaveQueue(id)
  mark(ofPool(pool), id, takenMs)
  mark(ofProject(project), id, takenMs)
  return answer('taken', pool, address)
end
offer(home, group, ARGV[3], capacity, takenMs)
claim(home, 13, takenMs)
if redis.call('ZSCORE', ofPool(home), id) then return take(home, ARGV[3]) end
if ARGV[12] == '' then return answer('full capacity') end
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', alive, '-inf', now)) do leaveQueue(gone) end
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', offered, '-inf', now)) do withdraw(gone) end

local room, mostRoom, roomOfGroup = 0, nil, {}
local known = redis.call('HGETALL', pools)
for index = 1, #known, 2 do
  local name, pool = known[index], cjson.decode(known[index + 1])
  local free = pool.capacity - count(ofPool(name))
  if free > 0 then
    roomOfGroup[pool.group] = (roomOfGroup[pool.group] or 0) + free
    if pool.group == group and (name == home or (free > room and (not mostRoom or mostRoom.name ~= home))) then
      room, mostRoom = free, { name = name, address = pool.address }
    end
  end
end
local projects = {}
local function takenOf(name)
  if not projects[name] then projects[name] = count(ofProject(name)) end
  return projects[name]
end
local why = takenOf(project) < perProject and ' capacity' or ' quota'
local isNew = redis.call('ZADD', queue, 'NX', turn, id) == 1
local ahead = 0
for _, other in ipairs(redis.call('ZRANGE', queue, 0, -1)) do
  if other == id then break end
  local text = redis.call('HGET', entries, other)
  if text then
    local entry = cjson.decode(text)
    if entry.project == project then ahead = ahead + 1 end
    if (roomOfGroup[entry.group] or 0) > 0 and takenOf(entry.project) < perProject then
      roomOfGroup[entry.group] = roomOfGroup[entry.group] - 1
      projects[entry.project] = projects[entry.project] + 1
    end
  end
end
if (roomOfGroup[group] or 0) > 0 and takenOf(project) < perProject then return take(mostRoom.name, mostRoom.address) end
if isNew and ahead >= queuePerProject then
  leaveQueue(id)
  return answer('full' .. why)
end
redis.call('HSET', entries, id, cjson.encode({ project = project, group = group }))
redis.call('ZADD', alive, now + waitingMs, id)
return answer('wait' .. why)`;

/**
 * Frees the slot of a session, or removes its request from the queue. Arguments: id, project, pool, and `withdrawn` to
 * withdraw that pool.
 */
export const FREE = `${COMMON}
leaveQueue(ARGV[1])
redis.call('ZREM', ofPool(ARGV[3]), ARGV[1])
redis.call('ZREM', ofProject(ARGV[2]), ARGV[1])
if ARGV[4] == 'withdrawn' then withdraw(ARGV[3]) end
redis.call('PUBLISH', '{chauffeur}:freed', ARGV[1])
return 'free'`;

/**
 * Renews the pool and the claims of a server. Arguments: pool, group, URL, capacity, duration in ms, then id and
 * project of each claim.
 */
export const RENEW = `${COMMON}
offer(ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]))
claim(ARGV[1], 6, tonumber(ARGV[5]))
return 'renewed'`;

/** Withdraws a pool, so that other servers take no slots from it. */
export const WITHDRAW = `${COMMON}
withdraw(ARGV[1])
return 'withdrawn'`;
