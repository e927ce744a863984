/// \file
/// A plugin of g++ for checked builds. It tells the checker what -fsanitize=thread leaves out.
///
/// Copies of structs. If a call copies a struct, the plugin turns this copy into a separate statement.
///
///     sum = add(sum, bodies[j]);      becomes      argument = bodies[j];  result = add(sum, argument);  sum = result;
///
/// -fsanitize=thread instruments only statements. Without the plugin the checker does not see a struct that is passed or
/// returned by value, unless the function is inlined. clang++ always makes such copies separate statements.
///
/// Padding: which bytes of a copied struct hold no values.
///
/// Uses of values from other lanes. The value of a lane that does not take part is undefined, which is harmless if it is not used:
///
///     w = __shfl_down_sync(mask, v, d);         held = nbodyHeldUndefined();  w = ...;  got = nbodyTakeUndefined(held);
///     if (i + d < n) v += w;                    if (i + d < n) { nbodyUseUndefined(got);  v += w; }
///
/// Without the plugin, and with clang++, a thread counts as using all values that it gets.
///
/// Pieces of structs. A GPU copies a struct whose members are floats in pieces of 4 bytes. g++ may copy all of it at once, so the
/// plugin tells the size of the pieces:
///
///     out[i] = in[i];                           nbodySetPiece(4);  out[i] = in[i];  nbodySetPiece(16);
///
/// Branches, with -fplugin-arg-checker_plugin-branches. The counts learn which way each thread takes:
///
///     if (i < n)                                nbodyBranch(i < n);  if (i < n)
///
/// Loads of a struct's members in one line become a load of a vector: one call of the checker instead of up to four. For three
/// members of an aligned struct of four, a GPU loads all four; nbodySetPiece(32) marks the first two, nbodySetPiece(0) the third.
#include "checker_plugin.hpp"

int plugin_is_GPL_compatible;  // GCC requires it of every plugin

std::vector<gimple*> statementsOf(function* f) {
  std::vector<gimple*> all;
  basic_block block;
  FOR_EACH_BB_FN(block, f)
  for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) all.push_back(gsi_stmt(at));
  return all;
}

std::vector<gimple*> usesOf(tree value) {
  std::vector<gimple*> uses;
  use_operand_p operand;
  imm_use_iterator each;
  FOR_EACH_IMM_USE_FAST(operand, each, value)
  if (!is_gimple_debug(USE_STMT(operand))) uses.push_back(USE_STMT(operand));
  return uses;
}

bool isCallOf(gimple* statement, const char* begin) {
  const tree called = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  return called != NULL_TREE && DECL_NAME(called) != NULL_TREE &&
         std::strncmp(IDENTIFIER_POINTER(DECL_NAME(called)), begin, std::strlen(begin)) == 0;
}

tree number(unsigned HOST_WIDE_INT bits) { return build_int_cst(uint64_type_node, HOST_WIDE_INT(bits)); }

gcall* callOf(const char* name, const std::vector<tree>& arguments, gimple* at, tree result) {
  auto_vec<tree> all, types;
  for (const tree argument : arguments) {
    all.safe_push(argument);
    // No pointer to const: g++ would warn of a value that is not written yet.
    types.safe_push(POINTER_TYPE_P(TREE_TYPE(argument)) ? ptr_type_node : TREE_TYPE(argument));
  }
  const tree returned = result == NULL_TREE ? void_type_node : uint64_type_node;
  const tree function = build_fn_decl(name, build_function_type_array(returned, types.length(), types.address()));
  gcall* const call = gimple_build_call_vec(function, all);
  if (result != NULL_TREE) gimple_call_set_lhs(call, result);
  gimple_set_location(call, at == nullptr ? DECL_SOURCE_LOCATION(current_function_decl) : gimple_location(at));
  return call;
}

bool isExchange(gimple* statement) {
  if (!isCallOf(statement, "waitForWarp")) return false;
  const tree result = gimple_call_lhs(statement);
  return result != NULL_TREE && TREE_CODE(result) == SSA_NAME;
}

bool isConversion(gimple* statement) {
  if (!is_gimple_assign(statement) || TREE_CODE(gimple_assign_lhs(statement)) != SSA_NAME) return false;
  const tree_code code = gimple_assign_rhs_code(statement);
  return code == SSA_NAME || code == VIEW_CONVERT_EXPR || code == BIT_FIELD_REF || CONVERT_EXPR_CODE_P(code);
}

namespace {

/// Returns whether another thread may have a pointer to it. Types with a copy constructor are passed by reference already.
bool isShared(tree value) {
  if (value == NULL_TREE || is_gimple_reg(value) || is_gimple_min_invariant(value)) return false;
  if (!AGGREGATE_TYPE_P(TREE_TYPE(value)) || TREE_ADDRESSABLE(TREE_TYPE(value))) return false;
  const bool isLocal = DECL_P(value) && auto_var_in_fn_p(value, current_function_decl);
  return !isLocal || TREE_ADDRESSABLE(value);
}

/// Clears the bits of bytes from \p offset on in which an object of the type has values.
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

/// Returns the type that a statement copies. A memcpy() of a struct may have become a copy of one large number.
tree typeOfCopied(tree value) {
  if (TREE_CODE(value) != MEM_REF || !integer_zerop(TREE_OPERAND(value, 1))) return TREE_TYPE(value);
  const tree pointed = TREE_TYPE(TREE_TYPE(TREE_OPERAND(value, 0)));
  const bool isWhole = tree_int_cst_equal(TYPE_SIZE(pointed), TYPE_SIZE(TREE_TYPE(value)));
  return isWhole && RECORD_OR_UNION_TYPE_P(pointed) ? pointed : TREE_TYPE(value);
}

constexpr unsigned HOST_WIDE_INT kMostPiece = 16;  // bytes that a thread of a GPU accesses at once

/// Inserts nbodySetPiece() before a statement, and again after it.
void setPiece(gimple* statement, unsigned HOST_WIDE_INT piece) {
  gimple_stmt_iterator at = gsi_for_stmt(statement);
  gsi_insert_before(&at, callOf("nbodySetPiece", {number(piece)}, statement), GSI_SAME_STMT);
  gsi_insert_after(&at, callOf("nbodySetPiece", {number(kMostPiece)}, statement), GSI_SAME_STMT);
}

/// Marks a statement that accesses so many bytes at once, if their alignment makes a GPU's pieces smaller.
void tellPiece(gimple* statement, unsigned HOST_WIDE_INT bytes, unsigned alignment) {
  if (alignment < std::min(bytes & -bytes, kMostPiece)) setPiece(statement, alignment);
}

void tellPieceOfStruct(gimple* statement, tree type) {
  if (RECORD_OR_UNION_TYPE_P(type) && tree_fits_uhwi_p(TYPE_SIZE_UNIT(type)) && !stmt_ends_bb_p(statement))
    tellPiece(statement, tree_to_uhwi(TYPE_SIZE_UNIT(type)), TYPE_ALIGN_UNIT(type));
}

/// Inserts nbodyReadPadding(&value + offset, bits) before a struct's copy, once per 64 bytes with padding.
void tellPadding(gimple_stmt_iterator at, tree value) {
  const tree type = typeOfCopied(value);
  if (type == TREE_TYPE(value) && !isShared(value)) return;
  const tree base = get_base_address(value);
  if (DECL_P(base) && auto_var_in_fn_p(base, current_function_decl)) return;  // not an array
  const std::vector<bool> padding = paddingOf(type);
  for (std::size_t first = 0; first < padding.size(); first += 64) {
    unsigned HOST_WIDE_INT bits = 0;
    for (std::size_t k = 0; k < 64 && first + k < padding.size(); ++k)
      if (padding[first + k]) bits |= HOST_WIDE_INT_1U << k;
    if (bits == 0) continue;
    // No pointer to const: g++ would warn of a struct that is not wholly written.
    const tree begin = build_fold_addr_expr(unshare_expr(value));
    const tree address = force_gimple_operand_gsi(
        &at, fold_build_pointer_plus_hwi(begin, first), true, NULL_TREE, true, GSI_SAME_STMT);
    gsi_insert_before(&at, callOf("nbodyReadPadding", {address, number(bits)}, gsi_stmt(at)), GSI_SAME_STMT);
  }
}

/// Does the same before a call of memcpy() or memmove() that copies one struct.
void tellPaddingOfCall(gimple_stmt_iterator at) {
  gimple* const call = gsi_stmt(at);
  if (!gimple_call_builtin_p(call, BUILT_IN_MEMCPY) && !gimple_call_builtin_p(call, BUILT_IN_MEMMOVE)) return;
  const tree from = gimple_call_arg(call, 1);
  const tree type = TREE_TYPE(TREE_TYPE(from));
  if (!RECORD_OR_UNION_TYPE_P(type) || !tree_int_cst_equal(TYPE_SIZE_UNIT(type), gimple_call_arg(call, 2))) return;
  tellPadding(at, build_simple_mem_ref(from));
  tellPieceOfStruct(call, type);
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
    gimple* const move = assignment(copy, argument, call);
    gsi_insert_before(&at, move, GSI_SAME_STMT);
    tellPieceOfStruct(move, TREE_TYPE(argument));
    gimple_call_set_arg(call, k, copy);
    update_stmt(call);
  }
}

void copyResult(gimple_stmt_iterator at) {
  gcall* const call = as_a<gcall*>(gsi_stmt(at));
  const tree target = gimple_call_lhs(call);
  if (!isShared(target)) return;
  const tree copy = variableLike(target, "result");
  gimple* const move = assignment(target, copy, call);
  gimple_call_set_lhs(call, copy);
  gimple_call_set_return_slot_opt(call, false);  // not directly into the target
  update_stmt(call);
  if (!stmt_ends_bb_p(call)) {
    gsi_insert_after(&at, move, GSI_SAME_STMT);
  } else if (const edge next = find_fallthru_edge(gimple_bb(call)->succs)) {
    gsi_insert_on_edge_immediate(next, move);
  }
  if (gimple_bb(move) != nullptr) tellPieceOfStruct(move, TREE_TYPE(target));
}

/// Inserts nbodyBranch(where it goes) before the branch that ends the block, if the program's source has it.
void tellBranch(basic_block block) {
  gimple_stmt_iterator at = gsi_last_nondebug_bb(block);
  if (gsi_end_p(at) || in_system_header_at(gimple_location(gsi_stmt(at)))) return;
  tree way = NULL_TREE;
  if (const gcond* const branch = dyn_cast<gcond*>(gsi_stmt(at)))
    way = fold_build2(gimple_cond_code(branch), boolean_type_node, gimple_cond_lhs(branch), gimple_cond_rhs(branch));
  else if (const gswitch* const branch = dyn_cast<gswitch*>(gsi_stmt(at)))
    way = gimple_switch_index(branch);
  if (way == NULL_TREE) return;
  way = force_gimple_operand_gsi(&at, fold_convert(uint64_type_node, way), true, NULL_TREE, true, GSI_SAME_STMT);
  gsi_insert_before(&at, callOf("nbodyBranch", {way}, gsi_stmt(at)), GSI_SAME_STMT);
}

/// A load of a number that is a member of a struct.
struct Load {
  gimple* statement;
  tree base;  ///< without members and constant offset
  HOST_WIDE_INT offset;  ///< in bytes, from the base
  unsigned alignment;  ///< alignment of the struct
};

/// Sets what \p load.statement loads. Returns whether other threads may use this memory.
bool isLoad(Load& load) {
  gimple* const statement = load.statement;
  if (!gimple_assign_load_p(statement) || gimple_has_volatile_ops(statement)) return false;
  const tree type = TREE_TYPE(gimple_assign_lhs(statement));
  if (!SCALAR_FLOAT_TYPE_P(type) && TREE_CODE(type) != INTEGER_TYPE) return false;
  load.base = gimple_assign_rhs1(statement);
  load.offset = 0;
  for (; TREE_CODE(load.base) == COMPONENT_REF; load.base = TREE_OPERAND(load.base, 0)) {
    const tree field = TREE_OPERAND(load.base, 1);
    if (DECL_BIT_FIELD(field) || TREE_OPERAND(load.base, 2) != NULL_TREE || !tree_fits_shwi_p(bit_position(field)))
      return false;
    load.offset += int_byte_position(field);
  }
  // The compiler may have replaced a member by an offset. Its type still shows the struct.
  const bool isMember = load.base != gimple_assign_rhs1(statement);
  if (!isMember && (TREE_CODE(load.base) != MEM_REF ||
                    !RECORD_OR_UNION_TYPE_P(TREE_TYPE(TREE_TYPE(TREE_OPERAND(load.base, 1))))))
    return false;
  load.alignment =
      TYPE_ALIGN_UNIT(isMember ? TREE_TYPE(load.base) : TREE_TYPE(TREE_TYPE(TREE_OPERAND(load.base, 1))));
  if (TREE_CODE(load.base) == MEM_REF && tree_fits_shwi_p(TREE_OPERAND(load.base, 1))) {
    load.offset += tree_to_shwi(TREE_OPERAND(load.base, 1));
    load.base = TREE_OPERAND(load.base, 0);
    return TREE_CODE(load.base) == SSA_NAME;
  }
  const tree whole = get_base_address(load.base);
  return DECL_P(whole) ? is_global_var(whole) : TREE_CODE(load.base) == ARRAY_REF;
}

/// Returns whether the second loads from the same struct, in the same line, with no store in between.
bool isOfSameStruct(const Load& one, const Load& other) {
  const location_t here = gimple_location(one.statement), there = gimple_location(other.statement);
  return gimple_vuse(one.statement) == gimple_vuse(other.statement) && LOCATION_LINE(here) == LOCATION_LINE(there) &&
         LOCATION_FILE(here) == LOCATION_FILE(there) &&
         types_compatible_p(TREE_TYPE(gimple_assign_lhs(one.statement)), TREE_TYPE(gimple_assign_lhs(other.statement))) &&
         operand_equal_p(one.base, other.base, 0);
}

/// Replaces loads of neighbours, in ascending order, by one load before \p first. Returns that load.
gimple* loadTogether(gimple* first, const Load* loads, unsigned count) {
  const tree element = TREE_TYPE(gimple_assign_lhs(loads[0].statement));
  const tree type = build_vector_type(element, count);
  if (!VECTOR_MODE_P(TYPE_MODE(type))) return first;
  gimple_stmt_iterator at = gsi_for_stmt(first);
  tree address = loads[0].base;
  if (!POINTER_TYPE_P(TREE_TYPE(address)))
    address = force_gimple_operand_gsi(
        &at, build_fold_addr_expr(unshare_expr(address)), true, NULL_TREE, true, GSI_SAME_STMT);
  const tree vector = make_ssa_name(type);
  gimple* const load = gimple_build_assign(
      vector,
      build2(MEM_REF, build_aligned_type(type, TYPE_ALIGN(element)), address, build_int_cst(ptr_type_node, loads[0].offset)));
  gimple_set_location(load, gimple_location(first));
  gimple_set_vuse(load, gimple_vuse(loads[0].statement));
  gsi_insert_before(&at, load, GSI_SAME_STMT);
  const unsigned ofOffset = loads[0].offset & -loads[0].offset;
  tellPiece(load, tree_to_uhwi(TYPE_SIZE_UNIT(type)), ofOffset == 0 ? loads[0].alignment : std::min(loads[0].alignment, ofOffset));
  for (unsigned k = 0; k < count; ++k) {
    gimple_stmt_iterator its = gsi_for_stmt(loads[k].statement);
    gimple_assign_set_rhs1(
        loads[k].statement,
        build3(BIT_FIELD_REF, element, vector, TYPE_SIZE(element), bitsize_int(k * tree_to_shwi(TYPE_SIZE(element)))));
    update_stmt(gsi_stmt(its));
  }
  return load;
}

/// Returns whether a GPU loads all four numbers of a struct when the program loads these three.
bool areOfFour(const Load* loads, HOST_WIDE_INT bytes) {
  return bytes == 4 && loads[0].offset % 16 == 0 && loads[0].alignment >= 16;
}

/// Joins the loads, which are from the same struct.
void joinLoads(std::vector<Load> loads) {
  gimple* const first = loads[0].statement;
  std::sort(loads.begin(), loads.end(), [](const Load& a, const Load& b) { return a.offset < b.offset; });
  const HOST_WIDE_INT bytes = tree_to_shwi(TYPE_SIZE_UNIT(TREE_TYPE(gimple_assign_lhs(first))));
  for (std::size_t k = 0; k < loads.size();) {
    std::size_t end = k + 1;
    while (end < loads.size() && loads[end].offset == loads[end - 1].offset + bytes) ++end;
    const std::size_t count = end - k >= 4 && bytes <= 4 ? 4 : end - k >= 2 && bytes <= 8 ? 2 : 1;
    gimple* const load = count > 1 && bytes >= 4 ? loadTogether(first, &loads[k], count) : nullptr;
    if (load && end - k == 3 && areOfFour(&loads[k], bytes)) {
      setPiece(load, 2 * kMostPiece);
      setPiece(loads[k + 2].statement, 0);
      k = end;
    } else {
      k += count;
    }
  }
}

void joinLoadsOf(basic_block block) {
  std::vector<std::vector<Load>> structs;
  for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
    Load load = {gsi_stmt(at)};
    if (!is_gimple_assign(load.statement) || !isLoad(load)) continue;
    const auto same = std::find_if(structs.begin(), structs.end(), [&](const std::vector<Load>& others) {
      return isOfSameStruct(others[0], load);
    });
    if (same != structs.end()) same->push_back(load);
    else structs.push_back({load});
  }
  for (const std::vector<Load>& loads : structs) joinLoads(loads);
}

/// Returns whether the statement copies the arguments of a launch for a thread, in stub() of runtime/launch.hpp. They are memory of
/// the executor, and need no check.
bool copiesArguments(gimple* statement) {
  if (!gimple_assign_single_p(statement) || TREE_CODE(gimple_assign_rhs1(statement)) != MEM_REF)
    return false;
  const tree from = TREE_OPERAND(gimple_assign_rhs1(statement), 0);
  const std::string function = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(current_function_decl));
  return TREE_CODE(from) == SSA_NAME && SSA_NAME_IS_DEFAULT_DEF(from) &&
         function.rfind("_ZZN5nbody8executor4stub", 0) == 0 &&
         function.find("_FUNE") != function.npos;
}

/// threadIdx, blockIdx, blockDim and gridDim, if the function reads them. No kernel writes them.
std::vector<tree>& indices() {
  static std::vector<tree> variables;
  return variables;
}
void noteIndex(gimple* statement) {
  if (!gimple_assign_load_p(statement)) return;
  const tree base = get_base_address(gimple_assign_rhs1(statement));
  if (base == NULL_TREE || !VAR_P(base) || !DECL_THREAD_LOCAL_P(base) ||
      DECL_NAME(base) == NULL_TREE ||
      (DECL_CONTEXT(base) != NULL_TREE && TREE_CODE(DECL_CONTEXT(base)) == FUNCTION_DECL))
    return;
  const std::string name = IDENTIFIER_POINTER(DECL_NAME(base));
  const bool isIndex =
      name == "threadIdx" || name == "blockIdx" || name == "blockDim" || name == "gridDim";
  if (isIndex && !TREE_READONLY(base)) indices().push_back(base);
}

/// Inserts the checker's calls, before GCC's own pass.
void insertCalls(function* f, bool tellsBranches) {
  basic_block block;
  if (optimize > 0) FOR_EACH_BB_FN(block, f) joinLoadsOf(block);
  for (gimple* const statement : statementsOf(f)) {
    if (gimple_clobber_p(statement)) continue;  // the end of a variable's life
    const gimple_stmt_iterator at = gsi_for_stmt(statement);
    noteIndex(statement);
    if (copiesArguments(statement)) {
      TREE_READONLY(gimple_assign_rhs1(statement)) = 1;
    } else if (gimple_assign_single_p(statement)) {
      tellPadding(at, gimple_assign_rhs1(statement));
      tellPieceOfStruct(statement, typeOfCopied(gimple_assign_rhs1(statement)));
    } else if (is_gimple_call(statement) && !gimple_call_internal_p(statement)) {
      tellPaddingOfCall(at);
      copyArguments(at);
      copyResult(at);
    }
  }
  if (tellsBranches) FOR_EACH_BB_FN(block, f) tellBranch(block);
  tellComparedLoads(f);
  tellKeptValues(f);
  followUndefined(f);
  // Blocks have been split, and later passes would follow what was known of the old ones.
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  loops_state_set(LOOPS_NEED_FIXUP);
  for (const tree variable : indices()) TREE_READONLY(variable) = 1;  // GCC's pass does not instrument loads of constants
}

void forgetIndices() {
  for (const tree variable : indices()) TREE_READONLY(variable) = 0;
  indices().clear();
}

const pass_data kPass = {GIMPLE_PASS, "checker", OPTGROUP_NONE, TV_NONE, PROP_ssa, 0, 0, 0, TODO_update_ssa};

class Pass : public gimple_opt_pass {
 public:
  using Work = std::function<void(function*)>;
  explicit Pass(const Work& work) : gimple_opt_pass(kPass, g), work_(work) {}
  opt_pass* clone() override { return new Pass(work_); }
  unsigned execute(function* f) override {
    work_(f);
    return 0;
  }

 private:
  Work work_;
};

}  // namespace

int plugin_init(plugin_name_args* plugin, plugin_gcc_version* version) {
  if (!plugin_default_version_check(version, &gcc_version)) return 1;
  const bool tellsBranches = plugin->argc > 0 && std::strcmp(plugin->argv[0].key, "branches") == 0;
  const auto add = [&](const char* name, pass_positioning_ops where, const Pass::Work& work) {
    register_pass_info info = {new Pass(work), name, 1, where};
    register_callback(plugin->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &info);
  };
  add("ssa", PASS_POS_INSERT_AFTER, [](function* f) {
    fillResult(f);
    hideUndefined(f);
    checkIndicesAtUses(f);
    clampShifts(f);
    clampConversions(f);
  });
  // These passes make more variables from which the passes after them could choose a value.
  for (const char* const name : {"esra", "sra"}) add(name, PASS_POS_INSERT_AFTER, hideUndefined);
  for (const char* const name : {"tsan0", "tsan"}) {
    const bool isOptimised = std::strcmp(name, "tsan") == 0;
    add(name, PASS_POS_INSERT_BEFORE, [=](function* f) {
      if (isOptimised == (optimize > 0)) insertCalls(f, tellsBranches);
    });
    add(name, PASS_POS_INSERT_AFTER, [](function*) { forgetIndices(); });
  }
  return 0;
}
