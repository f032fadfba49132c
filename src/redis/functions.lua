#!lua name=sluice_1
-- SPDX-License-Identifier: BSL-1.0
-- Copyright (c) 2026 The sluice authors

-- The gate of a queue: what checks and changes several keys in one atomic step. The number in the
-- names is the version of this protocol, so that programs of several versions share a server.
--
-- All keys of a queue begin with KEYS[1], which has its name as the hash tag:
--
--   :meta     hash    what the queue is, whether it is closed, counters, who waits
--   :data     hash    identifier -> bytes of each element, waiting or leased
--   :ready    zset    identifiers that may be dequeued, scored by priority
--   :leased   zset    identifiers with a consumer, scored by the end of the lease in ms
--   :tries    hash    identifier -> how often it has been delivered
--   :p:<id>   string  the number of the last enqueue of a producer
--
-- An identifier is the time of the enqueue, a counter and the priority. Equal scores are in the
-- order of their members, so an element that comes back has its old place again.
--
-- (G1) An identifier is in `data` if and only if it is in exactly one of `ready` and `leased`.
-- (G2) The number of elements, HLEN of `data`, is never above the capacity.
-- (G3) Whoever is told to wait has left in `meta` what it waits for, and whoever changes that
--      publishes it. So nobody waits for what is there already.

local producer_memory = 2 * 24 * 3600  -- s; how long a producer's number is kept
local chunk = 1000                  -- arguments for one call; Lua's stack holds few thousand

local function names(prefix)
  return {
    meta = prefix .. ':meta', data = prefix .. ':data', ready = prefix .. ':ready',
    leased = prefix .. ':leased', tries = prefix .. ':tries', events = prefix .. ':events',
    prefix = prefix
  }
end

local function now_ms()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

local function meta_of(q)
  local found = redis.call('HMGET', q.meta, 'kind', 'capacity', 'closed', 'max_deliveries',
    'min_after_dequeue', 'waits_for_items', 'waits_for_room')
  if not found[1] then return nil end
  return {
    kind = found[1], capacity = tonumber(found[2]), closed = found[3] == '1',
    max_deliveries = tonumber(found[4]), min_after_dequeue = tonumber(found[5]),
    -- so that where nobody waits nobody is looked for
    is_awaited = found[6], room_is_awaited = found[7]
  }
end

local function no_queue(q)
  return redis.error_reply('NOQUEUE there is no queue ' .. q.prefix)
end

local function publish(q, what)
  redis.call('PUBLISH', q.events, what)
end

local function count(q, field, by)
  if by ~= 0 then redis.call('HINCRBY', q.meta, field, by) end
end

-- Somebody waits until `field` of them are there: room, or items. The least counts.
local function wait_for(q, field, least)
  local waiting = tonumber(redis.call('HGET', q.meta, field))
  if not waiting or least < waiting then redis.call('HSET', q.meta, field, least) end
end

local function tell(q, field, available, event)
  local least = tonumber(redis.call('HGET', q.meta, field))
  if least and available >= least then
    redis.call('HDEL', q.meta, field)
    publish(q, event)
  end
end

local function tell_about_items(q)
  tell(q, 'waits_for_items', redis.call('ZCARD', q.ready), 'i')
end

local function tell_about_room(q, meta)
  if meta.room_is_awaited then
    tell(q, 'waits_for_room', meta.capacity - redis.call('HLEN', q.data), 'r')
  end
  -- fewer are left than somebody may wait for
  if meta.closed then publish(q, 'c') end
end

local function in_chunks(list, call)
  for first = 1, #list, chunk do
    call(unpack(list, first, math.min(first + chunk - 1, #list)))
  end
end

-- Identifiers that rise although the clock of the server may be set back.
local function identifiers(q)
  local now = now_ms()
  local last = redis.call('HMGET', q.meta, 'last_ms', 'last_number', 'enqueued')
  local ms, number = tonumber(last[1] or 0), tonumber(last[2] or 0)
  if now > ms then ms, number = now, 0 end
  return {
    next = function(priority)
      number = number + 1
      return string.format('%014d-%08d:%s', ms, number, priority)
    end,
    keep = function(added)
      redis.call('HSET', q.meta, 'last_ms', string.format('%d', ms), 'last_number',
        string.format('%d', number), 'enqueued', string.format('%d', tonumber(last[3] or 0) + added))
    end
  }
end

local function priority_of(id)
  return string.match(id, ':(.*)$')
end

-- Adds elements, a flat list of bytes and priorities.
local function add(q, elements)
  local ids = identifiers(q)
  local data, ready = {}, {}
  for i = 1, #elements, 2 do
    local id = ids.next(elements[i + 1])
    data[#data + 1] = id
    data[#data + 1] = elements[i]
    ready[#ready + 1] = elements[i + 1]
    ready[#ready + 1] = id
  end
  ids.keep(#elements / 2)
  in_chunks(data, function(...) redis.call('HSET', q.data, ...) end)
  in_chunks(ready, function(...) redis.call('ZADD', q.ready, ...) end)
end

local function remove(q, ids)
  in_chunks(ids, function(...)
    redis.call('ZREM', q.leased, ...)
    redis.call('HDEL', q.data, ...)
    redis.call('HDEL', q.tries, ...)
  end)
end

-- Puts an element among the dead letters, which are a queue of their own.
local function bury(q, id)
  local dead = names(q.prefix .. ':dead')
  redis.call('HSETNX', dead.meta, 'kind', 'fifo')
  redis.call('HSETNX', dead.meta, 'capacity', '9007199254740992')
  redis.call('HSETNX', dead.meta, 'closed', '0')
  redis.call('HSETNX', dead.meta, 'max_deliveries', '0')
  redis.call('HSETNX', dead.meta, 'min_after_dequeue', '0')
  add(dead, {redis.call('HGET', q.data, id), '0'})
  remove(q, {id})
  count(q, 'dead', 1)
  tell_about_items(dead)
end

-- Takes leased elements back, each to its old place; true if one of them was the last time.
local function take_back(q, meta, ids)
  local buried = false
  for _, id in ipairs(ids) do
    local tries = tonumber(redis.call('HGET', q.tries, id) or 0)
    if meta.max_deliveries > 0 and tries >= meta.max_deliveries then
      bury(q, id)
      buried = true
    else
      redis.call('ZREM', q.leased, id)
      redis.call('ZADD', q.ready, priority_of(id), id)
    end
  end
  return buried
end

local function take_back_expired(q, meta, now)
  local ids = redis.call('ZRANGE', q.leased, '-inf', now, 'BYSCORE', 'LIMIT', 0, 100)
  if #ids == 0 then return end
  count(q, 'redelivered', #ids)
  if take_back(q, meta, ids) then tell_about_room(q, meta) end
  tell_about_items(q)
end

-- Moves up to `most` elements from ready to leased, and gives {id, tries, bytes, ...}.
local function lease(q, meta, most, until_ms)
  local ids = {}
  if meta.kind == 'shuffle' then
    ids = redis.call('ZRANDMEMBER', q.ready, most)
    in_chunks(ids, function(...) redis.call('ZREM', q.ready, ...) end)
  else
    local popped = redis.call('ZPOPMIN', q.ready, most)
    for i = 1, #popped, 2 do ids[#ids + 1] = popped[i] end
  end
  local leased, reply, bytes = {}, {}, {}
  for _, id in ipairs(ids) do
    leased[#leased + 1] = until_ms
    leased[#leased + 1] = id
  end
  in_chunks(leased, function(...) redis.call('ZADD', q.leased, ...) end)
  in_chunks(ids, function(...)
    for _, one in ipairs(redis.call('HMGET', q.data, ...)) do bytes[#bytes + 1] = one end
  end)
  for i, id in ipairs(ids) do
    reply[#reply + 1] = id
    reply[#reply + 1] = redis.call('HINCRBY', q.tries, id, 1)
    reply[#reply + 1] = bytes[i]
  end
  return reply
end

-- KEYS: prefix. ARGV: kind, capacity, max_deliveries, min_after_dequeue.
-- Makes the queue unless there is one. Gives what it is now.
local function open(keys, args)
  local q = names(keys[1])
  if not meta_of(q) then
    redis.call('HSET', q.meta, 'kind', args[1], 'capacity', args[2], 'max_deliveries', args[3],
      'min_after_dequeue', args[4], 'closed', '0')
  end
  local meta = meta_of(q)
  return {meta.kind, meta.capacity, meta.max_deliveries, meta.min_after_dequeue}
end

-- KEYS: prefix, number of the producer.
-- ARGV: for each call its number, how many elements, and bytes and priority of each.
-- Gives {how many calls are done, why not the next: 0 all are, 1 full, 2 closed}. A call that is
-- repeated is done already, also if the queue has been closed or filled since.
local function enqueue(keys, args)
  local q = names(keys[1])
  local meta = meta_of(q)
  if not meta then return no_queue(q) end
  local last = tonumber(redis.call('GET', keys[2]) or 0)
  local room = meta.capacity - redis.call('HLEN', q.data)
  local elements, done, why, i = {}, 0, 0, 1
  while i <= #args do
    local number, size = tonumber(args[i]), tonumber(args[i + 1])
    if number > last then
      if meta.closed then why = 2 break end
      if size > room then
        why = 1
        wait_for(q, 'waits_for_room', size)
        break
      end
      for at = i + 2, i + 1 + 2 * size do elements[#elements + 1] = args[at] end
      room = room - size
      last = number
    end
    done = done + 1
    i = i + 2 + 2 * size
  end
  if #elements > 0 then
    add(q, elements)
    redis.call('SET', keys[2], string.format('%d', last), 'EX', producer_memory)
    if meta.is_awaited then tell_about_items(q) end
  end
  return {done, why}
end

-- KEYS: prefix. ARGV: lease in ms; for each call least, most, and whether a closed queue gives
-- fewer than the least.
-- Gives {why not the next call: 0 all are done, 1 too few, 2 closed and too few; how many are
-- there; for each call that is done {id, tries, bytes, ...}}.
local function dequeue(keys, args)
  local q = names(keys[1])
  local meta = meta_of(q)
  if not meta then return no_queue(q) end
  local now = now_ms()
  take_back_expired(q, meta, now)
  local until_ms = string.format('%d', now + tonumber(args[1]))
  local reply = {0, 0}
  for i = 2, #args, 3 do
    local least, most, in_part = tonumber(args[i]), tonumber(args[i + 1]), args[i + 2] == '1'
    local ready = redis.call('ZCARD', q.ready)
    local stays = meta.closed and 0 or meta.min_after_dequeue
    -- what is leased may come back, and so counts
    if meta.closed and in_part then
      least = math.max(1, math.min(least, redis.call('HLEN', q.data)))
    end
    if ready - stays < least then
      local size = redis.call('HLEN', q.data)
      reply[1] = (meta.closed and size < least) and 2 or 1
      reply[2] = size
      if reply[1] == 1 then wait_for(q, 'waits_for_items', least + stays) end
      break
    end
    reply[#reply + 1] = lease(q, meta, math.min(most, ready - stays), until_ms)
  end
  return reply
end

-- KEYS: prefix. ARGV: lease in ms; for each element what to do, identifier, tries.
-- a: it is done; r: back to its place; u: the same, it has not been seen; e: a new lease.
-- Gives for each 1, or 0 if it is with somebody else by now, or gone.
local function settle(keys, args)
  local q = names(keys[1])
  local meta = meta_of(q)
  if not meta then return no_queue(q) end
  local until_ms
  local reply, done, back, extended = {}, {}, {}, {}
  for i = 2, #args, 3 do
    local what, id, tries = args[i], args[i + 1], args[i + 2]
    local is_ours = redis.call('ZSCORE', q.leased, id) and
      redis.call('HGET', q.tries, id) == tries
    reply[#reply + 1] = is_ours and 1 or 0
    if is_ours and what == 'a' then
      done[#done + 1] = id
    elseif is_ours and what == 'e' then
      until_ms = until_ms or string.format('%d', now_ms() + tonumber(args[1]))
      extended[#extended + 1] = until_ms
      extended[#extended + 1] = id
    elseif is_ours then
      if what == 'u' then redis.call('HINCRBY', q.tries, id, -1) end
      back[#back + 1] = id
    end
  end
  in_chunks(extended, function(...) redis.call('ZADD', q.leased, 'XX', ...) end)
  remove(q, done)
  count(q, 'acknowledged', #done)
  count(q, 'redelivered', #back)
  local buried = take_back(q, meta, back)
  if #done > 0 or buried then tell_about_room(q, meta) end
  if #back > 0 then tell_about_items(q) end
  return reply
end

-- KEYS: prefix. Closes the queue for all.
local function close(keys, args)
  local q = names(keys[1])
  if not meta_of(q) then return no_queue(q) end
  redis.call('HSET', q.meta, 'closed', '1')
  publish(q, 'c')
  return 1
end

-- KEYS: prefix. Gives fields and values.
local function status(keys, args)
  local q = names(keys[1])
  local meta = meta_of(q)
  if not meta then return no_queue(q) end
  local counters = redis.call('HMGET', q.meta, 'enqueued', 'acknowledged', 'redelivered', 'dead')
  local first = redis.call('ZRANGE', q.ready, 0, 0)[1]
  local age = first and math.max(0, now_ms() - tonumber(string.sub(first, 1, 14))) or -1
  return {
    redis.call('HLEN', q.data), redis.call('ZCARD', q.leased), meta.capacity,
    meta.closed and 1 or 0, age, tonumber(counters[1] or 0), tonumber(counters[2] or 0),
    tonumber(counters[3] or 0), tonumber(counters[4] or 0),
    redis.call('HLEN', q.prefix .. ':dead:data')
  }
end

-- Rises with every change that keeps the protocol: a newer program replaces older functions.
local function revision()
  return 1
end

redis.register_function{
  function_name = 'sluice_1_revision', callback = revision, flags = {'no-writes'}}
redis.register_function{function_name = 'sluice_1_open', callback = open, flags = {'allow-oom'}}
redis.register_function('sluice_1_enqueue', enqueue)
redis.register_function{
  function_name = 'sluice_1_dequeue', callback = dequeue, flags = {'allow-oom'}}
redis.register_function{
  function_name = 'sluice_1_settle', callback = settle, flags = {'allow-oom'}}
redis.register_function{function_name = 'sluice_1_close', callback = close, flags = {'allow-oom'}}
redis.register_function{
  function_name = 'sluice_1_status', callback = status, flags = {'no-writes'}}
