/// \file
/// A plugin of g++ for the checked build: makes each copy that a call makes of a struct a statement of its own.
///
///     sum = add(sum, bodies[j]);      becomes      argument = bodies[j];  result = add(sum, argument);  sum = result;
///
/// -fsanitize=thread tells the checker of statements alone. Without the plugin a struct that is passed or returned by value
/// is read and written unseen, unless the function is inlined. clang++ has such copies in statements by itself.
// clang-format off: GCC's headers need this order.
#include <gcc-plugin.h>
#include <plugin-version.h>
#include <tree.h>
#include <tree-pass.h>
#include <context.h>
#include <basic-block.h>
#include <gimple.h>
#include <gimple-iterator.h>
#include <gimple-expr.h>
#include <tree-cfg.h>
#include <ssa.h>
#include <stringpool.h>
#include <gimplify.h>
// clang-format on

int plugin_is_GPL_compatible;  // which GCC asks of every plugin

namespace {

const pass_data kPass =
    {GIMPLE_PASS, "struct-copies", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, TODO_update_ssa};

/// Whether another thread may have a pointer to it. Types with a copy constructor are passed by reference already.
bool isShared(tree value) {
  if (value == NULL_TREE || is_gimple_reg(value) || is_gimple_min_invariant(value)) return false;
  if (!AGGREGATE_TYPE_P(TREE_TYPE(value)) || TREE_ADDRESSABLE(TREE_TYPE(value))) return false;
  const bool isLocal = DECL_P(value) && auto_var_in_fn_p(value, current_function_decl);
  return !isLocal || TREE_ADDRESSABLE(value);
}

tree variableLike(tree value, const char* name) {
  return create_tmp_var(TYPE_MAIN_VARIANT(TREE_TYPE(value)), name);
}

gimple* assignment(tree to, tree from, const gimple* call) {
  gimple* const statement = gimple_build_assign(to, from);
  gimple_set_location(statement, gimple_location(call));
  return statement;
}

void copyArguments(gimple_stmt_iterator at) {
  gimple* const call = gsi_stmt(at);
  for (unsigned k = 0; k < gimple_call_num_args(call); ++k) {
    const tree argument = gimple_call_arg(call, k);
    if (!isShared(argument)) continue;
    const tree copy = variableLike(argument, "argument");
    gsi_insert_before(&at, assignment(copy, argument, call), GSI_SAME_STMT);
    gimple_call_set_arg(call, k, copy);
    update_stmt(call);
  }
}

void copyResult(gimple_stmt_iterator& at) {
  gcall* const call = as_a<gcall*>(gsi_stmt(at));
  const tree target = gimple_call_lhs(call);
  if (!isShared(target)) return;
  const tree copy = variableLike(target, "result");
  gimple* const move = assignment(target, copy, call);
  gimple_call_set_lhs(call, copy);
  gimple_call_set_return_slot_opt(call, false);  // not straight into the target
  update_stmt(call);
  if (!stmt_ends_bb_p(call)) {
    gsi_insert_after(&at, move, GSI_NEW_STMT);
  } else if (const edge next = find_fallthru_edge(gimple_bb(call)->succs)) {
    gsi_insert_on_edge_immediate(next, move);
  }
}

class StructCopies : public gimple_opt_pass {
 public:
  explicit StructCopies(gcc::context* context) : gimple_opt_pass(kPass, context) {}
  opt_pass* clone() override { return new StructCopies(m_ctxt); }
  unsigned execute(function* f) override {
    basic_block block;
    FOR_EACH_BB_FN(block, f)
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
      if (!is_gimple_call(gsi_stmt(at)) || gimple_call_internal_p(gsi_stmt(at))) continue;
      copyArguments(at);
      copyResult(at);
    }
    return 0;
  }
};

}  // namespace

int plugin_init(plugin_name_args* plugin, plugin_gcc_version* version) {
  if (!plugin_default_version_check(version, &gcc_version)) return 1;
  for (const char* sanitizer : {"tsan", "tsan0"}) {  // with optimisation, and without
    register_pass_info info = {new StructCopies(g), sanitizer, 1, PASS_POS_INSERT_BEFORE};
    register_callback(plugin->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &info);
  }
  return 0;
}
