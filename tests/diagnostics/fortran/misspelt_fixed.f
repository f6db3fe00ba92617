c A word that is nearly a directive, in the sentinel of fixed form, and one of another case.
      program mis
C$CPPC INIT
c$cppc registr(i)
c      ~~~~~~~ error[C0301] unknown directive `registr`
      i = 1
*$CPPC SHUTDWN
c      ~~~~~~~ error[C0301] unknown directive `SHUTDWN`
*      ~~~~~~~ error[C0301] 'unknown directive' 'shutdown'
      end
