/// \file
/// A plugin of g++ for the checked build. It tells the checker which bytes of a copied struct are padding. If a call copies
/// a struct, the plugin turns this copy into a separate statement.
///
///     sum = add(sum, bodies[j]);      becomes      argument = bodies[j];  result = add(sum, argument);  sum = result;
///
/// -fsanitize=thread tells the checker of statements alone. Without the plugin a struct that is passed or returned by value
/// is read and written unseen, unless the function is inlined. clang++ has such copies in statements by itself.
// clang-format off: GCC's headers need this order.
#include <vector>
#include <gcc-plugin.h>
#include <plugin-version.h>
#include <tree.h>
#include <fold-const.h>
#include <stor-layout.h>
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
#include <gimplify-me.h>
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

/// Clears the bits of the bytes from \p offset on that an object of the type holds values in.
void clearValues(tree type, HOST_WIDE_INT offset, std::vector<bool>& padding) {
  if (TREE_CODE(type) == ARRAY_TYPE && tree_fits_shwi_p(TYPE_SIZE_UNIT(type))) {
    const HOST_WIDE_INT element = tree_to_shwi(TYPE_SIZE_UNIT(TREE_TYPE(type)));
    for (HOST_WIDE_INT at = 0; element > 0 && at < tree_to_shwi(TYPE_SIZE_UNIT(type));
         at += element)
      clearValues(TREE_TYPE(type), offset + at, padding);
  } else if (RECORD_OR_UNION_TYPE_P(type)) {
    for (tree field = TYPE_FIELDS(type); field != NULL_TREE; field = DECL_CHAIN(field)) {
      if (TREE_CODE(field) != FIELD_DECL || !tree_fits_shwi_p(bit_position(field))) continue;
      const HOST_WIDE_INT first = int_bit_position(field);
      if (!DECL_BIT_FIELD(field))
        clearValues(TREE_TYPE(field), offset + first / BITS_PER_UNIT, padding);
      else
        for (HOST_WIDE_INT bit = first; bit < first + tree_to_shwi(DECL_SIZE(field)); ++bit)
          padding[offset + bit / BITS_PER_UNIT] = false;
    }
  } else if (tree_fits_shwi_p(TYPE_SIZE_UNIT(type))) {
    // The unused bytes of a long double count as values.
    for (HOST_WIDE_INT at = 0; at < tree_to_shwi(TYPE_SIZE_UNIT(type)); ++at)
      padding[offset + at] = false;
  }
}

/// Returns for each byte of the type whether it is padding; nothing if the type is too large for so many calls.
std::vector<bool> paddingOf(tree type) {
  const HOST_WIDE_INT kMost = 1024;
  if (!RECORD_OR_UNION_TYPE_P(type) || !tree_fits_shwi_p(TYPE_SIZE_UNIT(type))) return {};
  const HOST_WIDE_INT bytes = tree_to_shwi(TYPE_SIZE_UNIT(type));
  if (bytes > kMost) return {};
  std::vector<bool> padding(bytes, true);
  clearValues(type, 0, padding);
  return padding;
}

/// Returns the type of what a statement copies. A memcpy() of a struct may have become a copy of one large number.
tree typeOfCopied(tree value) {
  if (TREE_CODE(value) != MEM_REF || !integer_zerop(TREE_OPERAND(value, 1))) return TREE_TYPE(value);
  const tree pointed = TREE_TYPE(TREE_TYPE(TREE_OPERAND(value, 0)));
  const bool isWhole = tree_int_cst_equal(TYPE_SIZE(pointed), TYPE_SIZE(TREE_TYPE(value)));
  return isWhole && RECORD_OR_UNION_TYPE_P(pointed) ? pointed : TREE_TYPE(value);
}

/// Inserts nbodyReadPadding(&value + offset, bits) before a statement that copies the struct, for each 64 bytes with padding.
void tellPadding(gimple_stmt_iterator at, tree value) {
  const tree type = typeOfCopied(value);
  if (type == TREE_TYPE(value) && !isShared(value)) return;
  const std::vector<bool> padding = paddingOf(type);
  for (std::size_t first = 0; first < padding.size(); first += 64) {
    unsigned HOST_WIDE_INT bits = 0;
    for (std::size_t k = 0; k < 64 && first + k < padding.size(); ++k)
      if (padding[first + k]) bits |= HOST_WIDE_INT_1U << k;
    if (bits == 0) continue;
    // No pointer to const: g++ would warn of a struct that is not wholly written.
    const tree function = build_fn_decl(
        "nbodyReadPadding",
        build_function_type_list(void_type_node, ptr_type_node, uint64_type_node, NULL_TREE));
    const tree begin = build_fold_addr_expr(unshare_expr(value));
    const tree address = force_gimple_operand_gsi(
        &at, fold_build_pointer_plus_hwi(begin, first), true, NULL_TREE, true, GSI_SAME_STMT);
    gimple* const call =
        gimple_build_call(function, 2, address, build_int_cst(uint64_type_node, bits));
    gimple_set_location(call, gimple_location(gsi_stmt(at)));
    gsi_insert_before(&at, call, GSI_SAME_STMT);
  }
}

/// Does so before a call of memcpy() or memmove() that copies one struct.
void tellPaddingOfCall(gimple_stmt_iterator at) {
  gimple* const call = gsi_stmt(at);
  if (!gimple_call_builtin_p(call, BUILT_IN_MEMCPY) && !gimple_call_builtin_p(call, BUILT_IN_MEMMOVE)) return;
  const tree from = gimple_call_arg(call, 1);
  const tree type = TREE_TYPE(TREE_TYPE(from));
  if (RECORD_OR_UNION_TYPE_P(type) && tree_int_cst_equal(TYPE_SIZE_UNIT(type), gimple_call_arg(call, 2)))
    tellPadding(at, build_simple_mem_ref(from));
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
    tellPadding(at, argument);
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
      if (gimple_assign_single_p(gsi_stmt(at))) tellPadding(at, gimple_assign_rhs1(gsi_stmt(at)));
      if (!is_gimple_call(gsi_stmt(at)) || gimple_call_internal_p(gsi_stmt(at))) continue;
      tellPaddingOfCall(at);
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
