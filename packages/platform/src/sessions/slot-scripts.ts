// Programs that run inside Redis, one at a time. All keys have one tag, so that they lie on one node of a cluster. What is
// taken, and who waits, stand there until a time, and are gone when nobody says them again.

const COMMON = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local queue, alive, entries = '{chauffeur}:queue', '{chauffeur}:waiting', '{chauffeur}:entries'
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
`;

/**
 * Takes a place for a session, or has it wait. Those that wait longer come first, but none waits behind one whose project
 * has its share. Given are id, project, pool, places of the pool, of a project, and in the queue, and the times.
 */
export const TAKE = `${COMMON}
local id, project, pool = ARGV[1], ARGV[2], ARGV[3]
local capacity, perProject, queuePerProject = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local ticketMs, waitingMs = tonumber(ARGV[7]), tonumber(ARGV[8])
local function take()
  leaveQueue(id)
  mark(ofPool(pool), id, ticketMs)
  mark(ofProject(project), id, ticketMs)
  return 'taken'
end
if redis.call('ZSCORE', ofPool(pool), id) then return take() end
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', alive, '-inf', now)) do leaveQueue(gone) end

local pools, projects = {}, {}
local function takenOfPool(name)
  if not pools[name] then pools[name] = count(ofPool(name)) end
  return pools[name]
end
local function takenOfProject(name)
  if not projects[name] then projects[name] = count(ofProject(name)) end
  return projects[name]
end
local hasQuota = takenOfProject(project) < perProject
local ahead = 0
local isQueued = false
for _, other in ipairs(redis.call('ZRANGE', queue, 0, -1)) do
  if other == id then isQueued = true break end
  local text = redis.call('HGET', entries, other)
  if text then
    local entry = cjson.decode(text)
    if entry.project == project then ahead = ahead + 1 end
    -- How many places there are changes: what is known now holds for all who wait.
    if entry.pool == pool then entry.capacity = capacity end
    if takenOfPool(entry.pool) < entry.capacity and takenOfProject(entry.project) < perProject then
      pools[entry.pool] = pools[entry.pool] + 1
      projects[entry.project] = projects[entry.project] + 1
    end
  end
end
if takenOfPool(pool) < capacity and takenOfProject(project) < perProject then return take() end
local why = hasQuota and 'capacity' or 'quota'
if not isQueued then
  if ahead >= queuePerProject then return 'full ' .. why end
  redis.call('ZADD', queue, redis.call('INCR', '{chauffeur}:turn'), id)
end
redis.call('HSET', entries, id, cjson.encode({ project = project, pool = pool, capacity = capacity }))
redis.call('ZADD', alive, now + waitingMs, id)
return 'wait ' .. why`;

/** Frees the place of a session, or has it wait no more. Given are id, project and pool. */
export const FREE = `${COMMON}
leaveQueue(ARGV[1])
redis.call('ZREM', ofPool(ARGV[3]), ARGV[1])
redis.call('ZREM', ofProject(ARGV[2]), ARGV[1])
redis.call('PUBLISH', '{chauffeur}:freed', ARGV[1])
return 'free'`;

/** Says anew which places a server has. Given are the pool and the time, then id and project of each. */
export const RENEW = `${COMMON}
for index = 3, #ARGV, 2 do
  mark(ofPool(ARGV[1]), ARGV[index], tonumber(ARGV[2]))
  mark(ofProject(ARGV[index + 1]), ARGV[index], tonumber(ARGV[2]))
end
return 'renewed'`;
