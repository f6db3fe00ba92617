/* As much of MPI as the programs of this folder use, with the names of Open MPI. */
typedef struct ompi_communicator_t *MPI_Comm;
typedef struct ompi_request_t *MPI_Request;
typedef struct ompi_datatype_t *MPI_Datatype;
typedef struct ompi_op_t *MPI_Op;
typedef struct ompi_win_t *MPI_Win;
typedef struct ompi_info_t *MPI_Info;
typedef struct ompi_group_t *MPI_Group;
typedef long MPI_Aint;
typedef struct { int MPI_SOURCE, MPI_TAG, MPI_ERROR; } MPI_Status;
struct ompi_any { int one; };
typedef void MPI_User_function(void *in, void *inout, int *count, MPI_Datatype *type);
extern struct ompi_any ompi_mpi_comm_world, ompi_mpi_comm_self, ompi_mpi_comm_null, ompi_request_null, ompi_mpi_double, ompi_mpi_int, ompi_mpi_op_sum,
    ompi_mpi_info_null;
#define MPI_COMM_WORLD ((MPI_Comm)((void *)&(ompi_mpi_comm_world)))
#define MPI_COMM_SELF ((MPI_Comm)((void *)&(ompi_mpi_comm_self)))
#define MPI_COMM_NULL ((MPI_Comm)((void *)&(ompi_mpi_comm_null)))
#define MPI_REQUEST_NULL ((MPI_Request)((void *)&(ompi_request_null)))
#define MPI_DOUBLE ((MPI_Datatype)((void *)&(ompi_mpi_double)))
#define MPI_INT ((MPI_Datatype)((void *)&(ompi_mpi_int)))
#define MPI_SUM ((MPI_Op)((void *)&(ompi_mpi_op_sum)))
#define MPI_INFO_NULL ((MPI_Info)((void *)&(ompi_mpi_info_null)))
#define MPI_ANY_SOURCE (-1)
#define MPI_ANY_TAG (-1)
#define MPI_PROC_NULL (-2)
#define MPI_UNDEFINED (-32766)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
int MPI_Init(int *argc, char ***argv);
int MPI_Finalize(void);
int MPI_Abort(MPI_Comm comm, int code);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made);
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made);
int MPI_Comm_group(MPI_Comm comm, MPI_Group *group);
int MPI_Group_incl(MPI_Group group, int count, const int *ranks, MPI_Group *made);
int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made);
int MPI_Intercomm_create(MPI_Comm own, int leader, MPI_Comm peers, int remote, int tag, MPI_Comm *made);
int MPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status);
int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Send_init(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Recv_init(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Start(MPI_Request *request);
int MPI_Startall(int count, MPI_Request *requests);
int MPI_Wait(MPI_Request *request, MPI_Status *status);
int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses);
int MPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status);
int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status);
int MPI_Sendrecv(const void *out, int count, MPI_Datatype type, int to, int tag, void *in, int room, MPI_Datatype kind,
                 int from, int wanted, MPI_Comm comm, MPI_Status *status);
int MPI_Barrier(MPI_Comm comm);
int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Reduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm);
int MPI_Op_create(MPI_User_function *procedure, int commutes, MPI_Op *made);
int MPI_Iallreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request);
int MPI_Dims_create(int nodes, int count, int *dims);
int MPI_Cart_create(MPI_Comm old, int count, const int *dims, const int *periods, int reorder, MPI_Comm *made);
int MPI_Cart_shift(MPI_Comm comm, int direction, int distance, int *from, int *to);
int MPI_Cart_coords(MPI_Comm comm, int rank, int count, int *coords);
int MPI_Cart_rank(MPI_Comm comm, const int *coords, int *rank);
int MPI_Win_create(void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *made);
int MPI_Win_fence(int assertion, MPI_Win win);
int MPI_Win_lock(int type, int rank, int assertion, MPI_Win win);
int MPI_Win_unlock(int rank, MPI_Win win);
int MPI_Put(const void *data, int count, MPI_Datatype type, int rank, MPI_Aint at, int target_count,
            MPI_Datatype target_type, MPI_Win win);
int MPI_Accumulate(const void *data, int count, MPI_Datatype type, int rank, MPI_Aint at, int target_count,
                   MPI_Datatype target_type, MPI_Op op, MPI_Win win);
double MPI_Wtime(void);
#define MPI_LOCK_EXCLUSIVE 1
int MPI_Put(const void *data, int count, MPI_Datatype type, int to, MPI_Aint at, int room, MPI_Datatype kind, MPI_Win win);
