      integer function noise()
      integer seed, high
      save seed
      data seed /12345/
c$cppc register(seed)
      high = seed / 127773
      seed = 16807 * (seed - high * 127773) - high * 2836
      if (seed .lt. 0) seed = seed + 2147483647
      noise = seed
      end

      integer function seldom(i)
      integer i, calls, table(2, 3)
      complex z
      save
      data calls /3/
      data table /6*0/, z /(1.0, 2.0)/
c$cppc register(calls, table, z)
      table(mod(i, 2) + 1, mod(i, 3) + 1) = i + calls
      z = z * (0.0, 1.0) + calls
      calls = mod(5 * calls + table(1, 2) + 10 * table(2, 3), 1000)
     &   + int(real(z))
      seldom = calls
      end
