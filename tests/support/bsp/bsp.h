/* BSPlib. `bsp.c` has the procedures that the program uses. */
#ifndef BSP_H
#define BSP_H

void bsp_init(void (*startproc)(void), int argc, char **argv);
void bsp_begin(int maxprocs);
void bsp_end(void);
void bsp_abort(const char *format, ...);
double bsp_time(void);
int bsp_nprocs(void);
int bsp_pid(void);
void bsp_sync(void);
void bsp_push_reg(const void *ident, int size);
void bsp_pop_reg(const void *ident);
void bsp_put(int pid, const void *src, void *dst, int offset, int nbytes);
void bsp_hpput(int pid, const void *src, void *dst, int offset, int nbytes);
void bsp_hpget(int pid, const void *src, int offset, void *dst, int nbytes);
void bsp_get(int pid, const void *src, int offset, void *dst, int nbytes);
void bsp_set_tagsize(int *tag_nbytes);
void bsp_send(int pid, const void *tag, const void *payload, int payload_nbytes);
void bsp_qsize(int *nmessages, int *accum_nbytes);
void bsp_get_tag(int *status, void *tag);
void bsp_move(void *payload, int reception_nbytes);
int bsp_hpmove(void **tag_ptr, void **payload_ptr);

#endif
