/// \file
/// Part of the checker's plugin: values that were never written, and whether a result depends on them.
///
/// Such a value comes from a local variable, from memory, or from a lane that does not take part. The plugin computes next
/// to each value that may be undefined a mask, its shadow. The shadow of a sum is that of both numbers; that of `c ? a : b` is
/// that of c and of the chosen one. So the value may be copied and computed with. Statements on which a result may depend use it:
/// branches, indices, calls, and stores to memory that other threads can see.
///
///     float sum;                      sum = 0xfefefefe;   sums = 1 << 63;
///     for (...) sum += a[i];          sum += a[i];        sums = line 12 of "sum";
///     o[i] = sum;                     o[i] = sum;         if (sums != 0) nbodyStoredUndefined(&o[i], 4, sums, "sum|f.cu|12");
///
/// Bits of a shadow: 0 to 31: findings of the checker; 32 to 61: lines of this function that compute with a variable; 63: the
/// variable itself or a copy of it, and not a value computed from it; if so, 62: it is a struct's member.
///
/// Local variables in memory begin with bytes 0xfe (-ftrivial-auto-var-init=pattern). A load that gives this pattern asks the
/// checker, which remembers the exceptions: places where a statement has stored the pattern, or a value that is undefined.
/// Exceptions go with their values: after the copy of a struct, and from a call to the function that it calls, and back.
///
///     float4 v = f[i];                nbodyBeginCopy(&f[i], 16);  v = f[i];  nbodyCopied(&v, &f[i], 16);
///     use(v);                         nbodyPassStruct(&v, 16, 0);  use(v);         in use(): nbodyTakeStruct(&its, 16, 0);
///
/// A member of one or two bytes often has such bits. So the checker remembers which of them a copy has left undefined, and is asked
/// by each load of one. It is told of each store, which is possible if no pointer leads to the variable.
///
///     uchar4 c = p[i];                nbodyBeginCopy(&p[i], 4, 0xf, true);  c = p[i];  nbodyCopied(&c, &p[i], 4);
///     c.w = 255;                      c.w = 255;  nbodyStoredSmall(&c.w, 1);
///     use(c.x);                       x = c.x;  xs = nbodyLoadedSmall(&c.x, 1);
#include "checker_plugin.hpp"

namespace {

const char* const kUndefined = "nbodyUndefined";
constexpr unsigned kFirstLine = 32, kMostLines = 30, kIsMember = 62, kItself = 63;

unsigned bytesOf(tree type) {
  const tree size = TYPE_SIZE_UNIT(type);
  return size != NULL_TREE && tree_fits_uhwi_p(size) ? tree_to_uhwi(size) : 0;
}

bool isFollowed(tree type) {
  const unsigned bytes = bytesOf(type);
  return (INTEGRAL_TYPE_P(type) || SCALAR_FLOAT_TYPE_P(type) || POINTER_TYPE_P(type)) &&
         (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8);
}

tree patternOf(tree type) {
  const tree bits = build_nonstandard_integer_type(bytesOf(type) * BITS_PER_UNIT, 1);
  return build_int_cst_type(bits, HOST_WIDE_INT(0xfefefefefefefefeULL));
}

bool isPattern(tree number) { return tree_int_cst_equal(fold_convert(TREE_TYPE(patternOf(TREE_TYPE(number))), number), patternOf(TREE_TYPE(number))); }

tree undefinedValue(tree type) {
  unsigned char bytes[8];
  std::memset(bytes, 0xfe, sizeof bytes);
  const tree value = TREE_CODE(type) == BOOLEAN_TYPE ? NULL_TREE : native_interpret_expr(type, bytes, bytesOf(type));
  return value != NULL_TREE ? value : build_zero_cst(type);
}

/// Returns whether the statement is the declaration of a variable without a value, which hideUndefined() has hidden.
bool isDeclaration(gimple* statement) { return isCallOf(statement, kUndefined); }

bool isLocal(tree base) { return DECL_P(base) && auto_var_in_fn_p(base, current_function_decl); }

/// Returns ".position[2]" for the member at that offset.
std::string memberAt(tree type, unsigned HOST_WIDE_INT offset) {
  if (RECORD_OR_UNION_TYPE_P(type)) {
    for (tree field = TYPE_FIELDS(type); field != NULL_TREE; field = DECL_CHAIN(field)) {
      if (TREE_CODE(field) != FIELD_DECL || !tree_fits_shwi_p(bit_position(field))) continue;
      const unsigned HOST_WIDE_INT first = int_byte_position(field);
      if (offset < first || offset >= first + bytesOf(TREE_TYPE(field))) continue;
      const std::string name = DECL_NAME(field) == NULL_TREE ? "" : std::string(".") + IDENTIFIER_POINTER(DECL_NAME(field));
      return name + memberAt(TREE_TYPE(field), offset - first);
    }
  } else if (TREE_CODE(type) == ARRAY_TYPE && bytesOf(TREE_TYPE(type)) > 0) {
    const unsigned bytes = bytesOf(TREE_TYPE(type));
    return "[" + std::to_string(offset / bytes) + "]" + memberAt(TREE_TYPE(type), offset % bytes);
  }
  return "";
}

std::string nameOf(tree declaration) {
  const tree name = declaration == NULL_TREE ? NULL_TREE : DECL_NAME(declaration);
  std::string text = name == NULL_TREE ? "a value" : IDENTIFIER_POINTER(name);
  std::replace(text.begin(), text.end(), '$', '.');  // the compiler's name for a member
  return text.compare(0, 2, "__") == 0 ? text.substr(2) : text;  // a variable that a lambda captures
}

/// Returns "tile[%][2]" for memory, and adds the indices that only the run knows.
std::string textOf(tree memory, std::vector<tree>& indices) {
  switch (TREE_CODE(memory)) {
    case COMPONENT_REF: {
      const tree name = DECL_NAME(TREE_OPERAND(memory, 1));
      const std::string of = textOf(TREE_OPERAND(memory, 0), indices);
      return name == NULL_TREE ? of : of + "." + IDENTIFIER_POINTER(name);
    }
    case ARRAY_REF: {
      const std::string of = textOf(TREE_OPERAND(memory, 0), indices);
      const tree index = TREE_OPERAND(memory, 1);
      if (tree_fits_shwi_p(index)) return of + "[" + std::to_string(tree_to_shwi(index)) + "]";
      indices.push_back(index);
      return of + "[%]";
    }
    case MEM_REF: {
      const tree pointer = TREE_OPERAND(memory, 0);
      if (TREE_CODE(pointer) == ADDR_EXPR) {
        const tree base = TREE_OPERAND(pointer, 0);
        const std::string of = textOf(base, indices);
        return tree_fits_uhwi_p(TREE_OPERAND(memory, 1)) ? of + memberAt(TREE_TYPE(base), tree_to_uhwi(TREE_OPERAND(memory, 1)))
                                                         : of;
      }
      return TREE_CODE(pointer) == SSA_NAME && SSA_NAME_VAR(pointer) != NULL_TREE ? "*" + nameOf(SSA_NAME_VAR(pointer)) : "a value";
    }
    default:
      if (handled_component_p(memory)) return textOf(TREE_OPERAND(memory, 0), indices);
      return DECL_P(memory) ? nameOf(memory) : "a value";
  }
}

/// Returns the statement's place in the program's source: for a function of a header, where it is inlined.
expanded_location placeOf(gimple* statement) {
  location_t place = gimple_location(statement);
  if (LOCATION_LOCUS(place) == UNKNOWN_LOCATION && gimple_bb(statement) != nullptr)
    for (gimple_stmt_iterator at = gsi_for_stmt(statement); !gsi_end_p(at); gsi_prev(&at))
      if (LOCATION_LOCUS(gimple_location(gsi_stmt(at))) != UNKNOWN_LOCATION) {
        place = gimple_location(gsi_stmt(at));
        break;
      }
  for (tree block = LOCATION_BLOCK(place); block != NULL_TREE && TREE_CODE(block) == BLOCK && in_system_header_at(place);
       block = BLOCK_SUPERCONTEXT(block))
    if (inlined_function_outer_scope_p(block)) place = BLOCK_SOURCE_LOCATION(block);
  return expand_location(place);
}

/// Adds an operation. Without simplification, which would look for definitions of shadows that come later.
tree build(gimple_seq* to, tree_code code, tree type, tree one, tree other = NULL_TREE, tree third = NULL_TREE) {
  const tree result = make_ssa_name(type);
  if (code == VIEW_CONVERT_EXPR) one = build1(code, type, one);
  gimple_seq_add_stmt(to, gimple_build_assign(result, code, one, other, third));
  return result;
}

/// Makes a block before or after the statement, which runs \p then only if the numbers are equal, or are not. Before that, \p first
/// runs in any case. Returns the block.
basic_block when(tree_code code, tree one, tree other, gimple* statement, bool isBefore, gimple_seq first, gimple_seq then) {
  gimple_stmt_iterator at = gsi_for_stmt(statement);
  basic_block block, next;
  gimple_stmt_iterator place = create_cond_insert_point(&at, isBefore, false, true, &block, &next);
  if (first != nullptr) gsi_insert_seq_after(&place, first, GSI_CONTINUE_LINKING);
  gsi_insert_after(&place, gimple_build_cond(code, one, other, NULL_TREE, NULL_TREE), GSI_NEW_STMT);
  gimple_stmt_iterator end = gsi_last_bb(block);
  gsi_insert_seq_after(&end, then, GSI_CONTINUE_LINKING);
  return block;
}

class Undefined {
 public:
  void follow(function* f) {
    noteVariables(f);
    do {
      sources_.clear(), names_.clear(), shadows_.clear(), uses_.clear(), stores_.clear();
      copies_.clear(), declarations_.clear(), structCalls_.clear(), smallStores_.clear();
      collect(f);
      for (const Source& source : sources_) spread(source.name);
    } while (areMoreStored());
    for (gimple* const copy : copies_) tellCopy(copy);
    for (gimple* const store : smallStores_) tellMemory("nbodyStoredSmall", store, gimple_get_lhs(store));
    for (gimple* const declaration : declarations_) tellMemory("nbodyDeclared", declaration, gimple_call_lhs(declaration));
    for (gimple* const call : structCalls_) tellCall(call);
    takeParameters(f);
    findVariables();
    for (const tree name : names_) shadows_[name] = make_ssa_name(uint64_type_node);
    for (const Source& source : sources_) begin(source);
    for (const tree name : names_) compute(name);
    for (gimple* const statement : uses_) use(statement);
    for (gimple* const store : stores_) tellStore(store);
    for (const tree name : names_)
      if (gphi* const join = dyn_cast<gphi*>(SSA_NAME_DEF_STMT(name))) joinShadows(join);
    setTables();
  }

 private:
  enum class Kind { declaration, local, memory, lane };
  struct Source {
    Kind kind;
    tree name;
    gimple* statement;
  };
  /// Facts about a local variable in memory.
  struct Variable {
    bool isDeclared = false;  ///< without a value
    bool isStored = false;  ///< some statement stores in it
    bool isCopied = false;  ///< struct or array that a statement or a call writes
    bool isAddressed = false;  ///< a pointer may lead to it
  };

  std::unordered_map<tree, Variable> variables_;
  std::vector<Source> sources_;
  std::vector<tree> names_;  ///< may be undefined
  std::unordered_map<tree, tree> shadows_;
  std::unordered_map<tree, bool> declared_;  ///< values of variables at their declaration
  std::unordered_map<tree, std::string> texts_;  ///< of values that may be a variable itself
  std::unordered_map<tree, bool> loaded_;  ///< values that may be a variable in memory itself
  std::vector<gimple*> uses_, stores_, copies_;
  std::vector<gimple*> declarations_;  ///< of variables in memory
  std::vector<gimple*> smallStores_;  ///< to variables with members of one or two bytes
  std::vector<gimple*> structCalls_;  ///< calls and returns that pass a struct by value
  std::vector<std::string> table_;  ///< lines that compute with a variable
  std::vector<gcall*> calls_;  ///< calls whose last argument is the table

  // --- Where undefined values come from.

  void noteStore(tree to, tree from, bool isDeclaration) {
    const tree base = get_base_address(to);
    if (base == NULL_TREE || !isLocal(base)) return;
    Variable& variable = variables_[base];
    variable.isAddressed = TREE_ADDRESSABLE(base);
    if (isDeclaration) {
      variable.isDeclared = true;
      return;
    }
    variable.isStored |= from == NULL_TREE || !TREE_CLOBBER_P(from);
    if (!is_gimple_reg_type(TREE_TYPE(to)) && (from == NULL_TREE || TREE_CODE(from) != CONSTRUCTOR)) variable.isCopied = true;
  }

  /// Returns whether a load or store of the type may be one of a variable that was never written.
  bool isWatched(tree base, tree type) {
    if (!isFollowed(type)) return false;
    if (TREE_CODE(base) == MEM_REF) return bytesOf(type) >= 4 && mayBeOfCaller(TREE_OPERAND(base, 0), 0);
    if (!isLocal(base)) return false;
    const Variable& variable = variables_[base];
    if (bytesOf(type) < 4)
      return hasSmallMembers(base) ||
             (variable.isDeclared && !variable.isAddressed && !variable.isCopied);
    return variable.isDeclared || variable.isCopied || TREE_CODE(base) == PARM_DECL;
  }

  /// Returns whether the checker remembers which members of one or two bytes of the variable are undefined.
  bool hasSmallMembers(tree base) {
    std::uint64_t small = 0;
    return base != NULL_TREE && isLocal(base) && variables_[base].isCopied &&
           !variables_[base].isAddressed && areMembersFollowed(TREE_TYPE(base), 0, small) &&
           small != 0;
  }

  /// Returns whether a pointer is computed from a parameter, and may point to a variable of the caller.
  static bool mayBeOfCaller(tree pointer, int depth) {
    if (TREE_CODE(pointer) != SSA_NAME || depth > 8) return false;
    if (SSA_NAME_IS_DEFAULT_DEF(pointer)) return SSA_NAME_VAR(pointer) != NULL_TREE && TREE_CODE(SSA_NAME_VAR(pointer)) == PARM_DECL;
    gimple* const by = SSA_NAME_DEF_STMT(pointer);
    if (gphi* const join = dyn_cast<gphi*>(by)) {
      for (unsigned k = 0; k < gimple_phi_num_args(join); ++k)
        if (mayBeOfCaller(gimple_phi_arg_def(join, k), depth + 3)) return true;
      return false;
    }
    if (!is_gimple_assign(by)) return false;
    if (gimple_assign_load_p(by)) return isCaptured(gimple_assign_rhs1(by));
    return mayBeOfCaller(gimple_assign_rhs1(by), depth + 1);
  }

  /// Returns whether it is a variable that a lambda function captures.
  static bool isCaptured(tree memory) {
    if (TREE_CODE(memory) != COMPONENT_REF) return false;
    const tree name = DECL_NAME(TREE_OPERAND(memory, 1)), base = get_base_address(memory);
    return name != NULL_TREE && std::strncmp(IDENTIFIER_POINTER(name), "__", 2) == 0 && base != NULL_TREE &&
           TREE_CODE(base) == MEM_REF && mayBeOfCaller(TREE_OPERAND(base, 0), 8);
  }

  /// Returns whether all uses of a loaded value are in other basic blocks, so that the value may be one that nothing uses.
  static bool isUsedLater(tree value, basic_block block) {
    const std::vector<gimple*> uses = usesOf(value);
    return !uses.empty() && std::all_of(uses.begin(), uses.end(), [&](gimple* use) {
      return gimple_code(use) == GIMPLE_PHI || gimple_bb(use) != block ||
             (isConversion(use) && isUsedLater(gimple_assign_lhs(use), block));
    });
  }

  void noteVariables(function* f) {
    for (gimple* const statement : statementsOf(f)) {
      const tree to = gimple_get_lhs(statement);
      if (to == NULL_TREE) continue;
      if (gimple_call_internal_p(statement, IFN_DEFERRED_INIT)) {
        noteStore(to, NULL_TREE, true);
      } else if (gimple_store_p(statement)) {
        const bool isOne = gimple_assign_single_p(statement);
        const tree from = isOne ? gimple_assign_rhs1(statement) : NULL_TREE;
        const bool isWithout = from != NULL_TREE && TREE_CODE(from) == SSA_NAME && isDeclaration(SSA_NAME_DEF_STMT(from));
        noteStore(to, from, isWithout);
      }
    }
  }

  /// Returns whether an undefined value is stored in a variable whose loads are not watched yet.
  bool areMoreStored() {
    bool any = false;
    for (gimple* const statement : uses_) {
      if (!gimple_assign_single_p(statement) || !gimple_store_p(statement) || !mayBeUndefined(gimple_assign_rhs1(statement))) continue;
      const tree base = get_base_address(gimple_assign_lhs(statement));
      if (base == NULL_TREE || !isLocal(base) || variables_[base].isDeclared) continue;
      variables_[base].isDeclared = any = true;
    }
    return any;
  }

  void collect(function* f) {
    for (gimple* const statement : statementsOf(f)) {
      const tree to = gimple_get_lhs(statement);
      if (passesStruct(statement)) structCalls_.push_back(statement);
      if (to == NULL_TREE || is_gimple_debug(statement)) continue;
      const bool isMemory = TREE_CODE(to) != SSA_NAME;
      if (isMemory && gimple_call_internal_p(statement, IFN_DEFERRED_INIT)) {
        declarations_.push_back(statement);
      } else if (isMemory && !gimple_clobber_p(statement) && !isCopy(statement) &&
                 hasSmallMembers(get_base_address(to))) {
        smallStores_.push_back(statement);
      }
      if (gimple_assign_single_p(statement) && gimple_store_p(statement)) {
        const tree from = gimple_assign_rhs1(statement), base = get_base_address(to);
        if (isStructCopy(to, from)) copies_.push_back(statement);
        const bool isNumber = TREE_CODE(from) == SSA_NAME || (TREE_CODE(from) == INTEGER_CST && isPattern(from));
        const bool isSmall =
            bytesOf(TREE_TYPE(to)) < 4 && base != NULL_TREE && hasSmallMembers(base);
        if (isNumber && !isSmall && base != NULL_TREE && isFollowed(TREE_TYPE(to)) &&
            mayBeLocal(base, TREE_TYPE(to)))
          stores_.push_back(statement);
      }
      if (TREE_CODE(to) != SSA_NAME || SSA_NAME_OCCURS_IN_ABNORMAL_PHI(to)) continue;
      if (isDeclaration(statement)) {
        sources_.push_back({Kind::declaration, to, statement});
      } else if (isExchange(statement)) {
        sources_.push_back({Kind::lane, to, statement});
      } else if (gimple_assign_load_p(statement)) {
        const tree from = gimple_assign_rhs1(statement), base = get_base_address(from);
        if (base == NULL_TREE || TREE_CODE(from) == BIT_FIELD_REF) continue;
        if (TREE_CODE(from) == COMPONENT_REF && DECL_BIT_FIELD(TREE_OPERAND(from, 1))) continue;
        if (isWatched(base, TREE_TYPE(to))) sources_.push_back({Kind::local, to, statement});
        else if (!isLocal(base) && isFollowed(TREE_TYPE(to)) && isUsedLater(to, gimple_bb(statement)))
          sources_.push_back({Kind::memory, to, statement});
      }
    }
  }

  // --- Where they go.

  /// Returns whether the statement copies a struct or an array, some of whose members may be undefined.
  static bool isStructCopy(tree to, tree from) {
    if (is_gimple_reg_type(TREE_TYPE(to)) || TREE_CODE(from) == CONSTRUCTOR || TREE_CODE(from) == SSA_NAME) return false;
    const tree base = get_base_address(from), target = get_base_address(to);
    if (base == NULL_TREE || target == NULL_TREE) return false;
    const bool isMemory = DECL_P(base) || TREE_CODE(base) == MEM_REF || TREE_CODE(base) == TARGET_MEM_REF;
    return isMemory && bytesOf(TREE_TYPE(to)) >= 2;
  }

  /// Returns whether a store may be one to a local variable, of this function or of a caller.
  bool mayBeLocal(tree base, tree type) {
    if (TREE_CODE(base) == MEM_REF) return bytesOf(type) >= 4;
    return isWatched(base, type);
  }

  static bool isCopy(gimple* statement) {
    return gimple_assign_single_p(statement) &&
           isStructCopy(gimple_assign_lhs(statement), gimple_assign_rhs1(statement));
  }

  /// Returns whether the loads of all members of a type can be followed if it is a local variable. Sets the bits of \p small that
  /// stand for bytes of members smaller than 4 bytes.
  static bool areMembersFollowed(tree type, unsigned HOST_WIDE_INT at, std::uint64_t& small) {
    const unsigned bytes = bytesOf(type);
    if (TREE_CODE(type) == ARRAY_TYPE) {
      const unsigned each = bytesOf(TREE_TYPE(type));
      if (isFollowed(TREE_TYPE(type)) && each >= 4) return true;
      for (unsigned k = 0; each != 0 && k < bytes / each; ++k)
        if (!areMembersFollowed(TREE_TYPE(type), at + k * each, small)) return false;
      return each != 0;
    }
    if (!RECORD_OR_UNION_TYPE_P(type)) {
      if (!isFollowed(type) || (bytes < 4 && at + bytes > 64)) return false;
      if (bytes < 4) small |= ((HOST_WIDE_INT_1U << bytes) - 1) << at;
      return true;
    }
    for (tree field = TYPE_FIELDS(type); field != NULL_TREE; field = DECL_CHAIN(field))
      if (TREE_CODE(field) == FIELD_DECL && bytesOf(TREE_TYPE(field)) != 0 &&
          (DECL_BIT_FIELD(field) ||
           !areMembersFollowed(TREE_TYPE(field), at + int_byte_position(field), small)))
        return false;
    return true;
  }

  static bool isStructInMemory(tree value) {
    if (value == NULL_TREE || is_gimple_reg_type(TREE_TYPE(value)) || TREE_ADDRESSABLE(TREE_TYPE(value))) return false;
    return bytesOf(TREE_TYPE(value)) >= 4 && TREE_CODE(value) != CONSTRUCTOR && get_base_address(value) != NULL_TREE;
  }

  /// Returns whether a call has a struct by value as an argument or a result, or whether a function returns one.
  static bool passesStruct(gimple* statement) {
    if (const greturn* const ends = dyn_cast<greturn*>(statement)) return isStructInMemory(gimple_return_retval(ends));
    if (!is_gimple_call(statement) || gimple_call_internal_p(statement)) return false;
    if (isStructInMemory(gimple_call_lhs(statement))) return true;
    for (unsigned k = 0; k < gimple_call_num_args(statement); ++k)
      if (isStructInMemory(gimple_call_arg(statement, k))) return true;
    return false;
  }

  bool isComputed(gimple* statement) const {
    const tree to = gimple_get_lhs(statement);
    if (to == NULL_TREE || TREE_CODE(to) != SSA_NAME || SSA_NAME_OCCURS_IN_ABNORMAL_PHI(to)) return false;
    if (is_gimple_assign(statement)) return !gimple_assign_load_p(statement);
    return is_gimple_call(statement) && !isExchange(statement) && (gimple_call_flags(statement) & ECF_CONST) != 0;
  }

  void spread(tree name) {
    if (!shadows_.emplace(name, NULL_TREE).second) return;
    names_.push_back(name);
    for (gimple* const use : usesOf(name)) {
      if (gimple_code(use) == GIMPLE_PHI) {
        if (!SSA_NAME_OCCURS_IN_ABNORMAL_PHI(gimple_phi_result(use))) spread(gimple_phi_result(use));
      } else if (isComputed(use)) {
        spread(gimple_get_lhs(use));
      } else if (std::find(uses_.begin(), uses_.end(), use) == uses_.end()) {
        uses_.push_back(use);
      }
    }
  }

  /// Finds the names that may be a variable itself, and not something computed from it.
  void findVariables() {
    std::vector<tree> open;
    const auto add = [&](tree name, const std::string& text) {
      if (shadows_.count(name) != 0 && texts_.emplace(name, text).second) open.push_back(name);
    };
    for (const Source& source : sources_) {
      if (source.kind != Kind::declaration) continue;
      const tree text = gimple_call_arg(source.statement, 0);
      const char* const name = TREE_CODE(text) == ADDR_EXPR ? c_getstr(text) : nullptr;
      std::string shown = name == nullptr ? nameOf(SSA_NAME_VAR(source.name)) : name;
      std::replace(shown.begin(), shown.end(), '$', '.');
      declared_[source.name] = true;
      add(source.name, shown);
    }
    forCopies(open, [&](tree copy, tree name) { add(copy, texts_[name]); });
    const auto addLoaded = [&](tree name, tree) {
      if (shadows_.count(name) != 0 && loaded_.emplace(name, true).second) open.push_back(name);
    };
    for (const Source& source : sources_)
      if (source.kind == Kind::local) addLoaded(source.name, NULL_TREE);
    forCopies(open, addLoaded);
  }

  /// Calls f(copy, name) for each name whose value may be that of an open name. f may open it too.
  template <class F>
  static void forCopies(std::vector<tree>& open, const F& f) {
    while (!open.empty()) {
      const tree name = open.back();
      open.pop_back();
      for (gimple* const use : usesOf(name)) {
        if (gimple_code(use) == GIMPLE_PHI) f(gimple_phi_result(use), name);
        else if (isConversion(use)) f(gimple_assign_lhs(use), name);
      }
    }
  }

  // --- Shadows.

  static tree zero() { return number(0); }
  static tree combined(gimple_seq* to, tree one, tree other) { return build(to, BIT_IOR_EXPR, uint64_type_node, one, other); }

  /// Returns the bit of the line that computes with a variable. The last bit serves all further lines.
  unsigned bitOf(gimple* statement, const std::string& text) {
    const expanded_location place = placeOf(statement);
    const std::string line = text + "|" + (place.file == nullptr ? "" : place.file) + "|" + std::to_string(place.line) + "\n";
    const auto position = std::find(table_.begin(), table_.end(), line);
    if (position != table_.end()) return kFirstLine + (position - table_.begin());
    if (table_.size() < kMostLines) table_.push_back(line);
    return kFirstLine + table_.size() - 1;
  }

  /// Returns the shadow of an operand, in which this line stands for the variable itself.
  tree shadowAt(gimple_seq* before, tree operand, gimple* statement) {
    const tree shadow = shadows_[operand];
    if (texts_.count(operand) == 0 && loaded_.count(operand) == 0) return shadow;
    const tree rest = build(before, BIT_AND_EXPR, uint64_type_node, shadow, number((HOST_WIDE_INT_1U << kItself) - 1));
    if (texts_.count(operand) == 0) return rest;
    const tree itself = build(before, RSHIFT_EXPR, uint64_type_node, shadow, build_int_cst(integer_type_node, kItself));
    const tree line = build(before, LSHIFT_EXPR, uint64_type_node, itself,
                                   build_int_cst(integer_type_node, bitOf(statement, texts_[operand])));
    return combined(before, line, rest);
  }

  bool mayBeUndefined(tree operand) const {
    return operand != NULL_TREE && TREE_CODE(operand) == SSA_NAME && shadows_.count(operand) != 0;
  }

  static void insertAfter(gimple* statement, gimple_seq after) {
    if (!stmt_ends_bb_p(statement)) {
      gimple_stmt_iterator at = gsi_for_stmt(statement);
      gsi_insert_seq_after(&at, after, GSI_SAME_STMT);
    } else if (const edge next = find_fallthru_edge(gimple_bb(statement)->succs)) {
      gsi_insert_seq_on_edge_immediate(next, after);
    }
  }
  /// Adds a call whose last argument will be the table.
  void addCallWithTable(gimple_seq* to, const char* name, std::vector<tree> arguments, gimple* at) {
    arguments.push_back(null_pointer_node);
    gcall* const call = callOf(name, arguments, at);
    gimple_seq_add_stmt(to, call);
    calls_.push_back(call);
  }

  static tree bitsOf(gimple_seq* before, tree value) {
    return build(before, VIEW_CONVERT_EXPR, TREE_TYPE(patternOf(TREE_TYPE(value))), value);
  }
  void begin(const Source& source) {
    const tree shadow = shadows_[source.name];
    gimple* const statement = source.statement;
    gimple_stmt_iterator at = gsi_for_stmt(statement);
    if (source.kind == Kind::declaration) {
      gimple* const value = gimple_build_assign(source.name, undefinedValue(TREE_TYPE(source.name)));
      gimple_set_location(value, gimple_location(statement));
      gsi_replace(&at, value, false);
      gsi_insert_after(&at, gimple_build_assign(shadow, number(HOST_WIDE_INT_1U << kItself)), GSI_NEW_STMT);
    } else if (source.kind == Kind::local) {
      const tree memory = gimple_assign_rhs1(statement);
      if (bytesOf(TREE_TYPE(source.name)) < 4 && hasSmallMembers(get_base_address(memory)))
        return tellMemory("nbodyLoadedSmall", statement, memory, shadow);
      gimple_seq first = nullptr, then = nullptr;
      const tree bits = bitsOf(&first, source.name);
      std::vector<tree> indices;
      const std::string text = textOf(memory, indices);
      std::vector<tree> arguments = {addressOf(&then, memory), sizeOf(memory), build_string_literal(text.size() + 1, text.c_str())};
      for (const tree index : indices)
        if (arguments.size() < 5) arguments.push_back(build(&then, NOP_EXPR, long_integer_type_node, index));
      const tree found = make_ssa_name(uint64_type_node);
      gimple_seq_add_stmt(&then, callOf("nbodyLoadedPattern", arguments, statement, found));
      const basic_block block = when(EQ_EXPR, bits, patternOf(TREE_TYPE(source.name)), statement, false, first, then);
      const basic_block next = single_succ(block);
      gphi* const join = create_phi_node(shadow, next);
      edge_iterator each;
      edge way;
      FOR_EACH_EDGE(way, each, next->preds)
      add_phi_arg(join, way->src == block ? found : zero(), way, UNKNOWN_LOCATION);
    } else {
      const tree held = make_ssa_name(uint64_type_node);
      gsi_insert_before(&at, callOf("nbodyHeldUndefined", {}, statement, held), GSI_SAME_STMT);
      insertAfter(statement, callOf("nbodyTakeUndefined", {held}, statement, shadow));
    }
  }

  /// Computes the shadow of a name that a statement computes from others.
  void compute(tree name) {
    gimple* const statement = SSA_NAME_DEF_STMT(name);
    if (!isComputed(statement) || isSource(name)) return;
    gimple_seq made = nullptr;
    const auto shadowOf = [&](tree operand) {
      return !mayBeUndefined(operand) ? zero()
             : isConversion(statement) ? shadows_[operand]
                                       : shadowAt(&made, operand, statement);
    };
    tree shadow = NULL_TREE;
    const tree_code code = is_gimple_assign(statement) ? gimple_assign_rhs_code(statement) : ERROR_MARK;
    if (code == COND_EXPR) {
      const tree condition = gimple_assign_rhs1(statement);
      const tree chosen = build(&made, COND_EXPR, uint64_type_node, unshare_expr(condition),
                                       shadowOf(gimple_assign_rhs2(statement)), shadowOf(gimple_assign_rhs3(statement)));
      tree ofCondition = zero();
      for (int k = 0; k < (COMPARISON_CLASS_P(condition) ? 2 : 1); ++k)
        ofCondition = combined(&made, ofCondition,
                               shadowOf(COMPARISON_CLASS_P(condition) ? TREE_OPERAND(condition, k) : condition));
      shadow = combined(&made, chosen, ofCondition);
    } else if (code == BIT_AND_EXPR || (code == BIT_IOR_EXPR && TYPE_PRECISION(TREE_TYPE(name)) == 1)) {
      // `isValid && x > 0` without branches: a false operand decides, whatever the other one is.
      const tree operands[] = {gimple_assign_rhs1(statement), gimple_assign_rhs2(statement)};
      const tree type = TREE_TYPE(name);
      const tree decides = code == BIT_AND_EXPR ? build_zero_cst(type) : build_one_cst(type);
      const auto half = [&](tree operand, tree other) {
        const tree own = shadowOf(operand), others = shadowOf(other);
        const tree isDecided = build(&made, EQ_EXPR, boolean_type_node, other, decides);
        const tree isDefined = build(&made, EQ_EXPR, boolean_type_node, others, zero());
        const tree isMasked = build(&made, BIT_AND_EXPR, boolean_type_node, isDecided, isDefined);
        const tree keeps = build(&made, NEGATE_EXPR, uint64_type_node,
                                        build(&made, NOP_EXPR, uint64_type_node,
                                              build(&made, BIT_XOR_EXPR, boolean_type_node, isMasked, boolean_true_node)));
        return build(&made, BIT_AND_EXPR, uint64_type_node, own, keeps);
      };
      shadow = combined(&made, half(operands[0], operands[1]), half(operands[1], operands[0]));
    } else {
      tree operand;
      ssa_op_iter each;
      FOR_EACH_SSA_TREE_OPERAND(operand, statement, each, SSA_OP_USE) {
        if (!mayBeUndefined(operand)) continue;
        const tree own = shadowOf(operand);
        shadow = shadow == NULL_TREE ? own : combined(&made, shadow, own);
      }
    }
    gimple_seq_add_stmt(&made, gimple_build_assign(shadows_[name], shadow == NULL_TREE ? zero() : shadow));
    insertAfter(statement, made);
  }

  bool isSource(tree name) const {
    return std::any_of(sources_.begin(), sources_.end(), [&](const Source& source) { return source.name == name; });
  }

  void joinShadows(gphi* join) {
    gphi* const of = create_phi_node(shadows_[gimple_phi_result(join)], gimple_bb(join));
    for (unsigned k = 0; k < gimple_phi_num_args(join); ++k) {
      const tree value = gimple_phi_arg_def(join, k);
      add_phi_arg(of, mayBeUndefined(value) ? shadows_[value] : zero(), gimple_phi_arg_edge(join, k), UNKNOWN_LOCATION);
    }
  }

  // --- Uses.

  static bool isContribution(tree base) {
    const tree type = TYPE_NAME(TYPE_MAIN_VARIANT(TREE_TYPE(base)));
    const tree name = type != NULL_TREE && TREE_CODE(type) == TYPE_DECL ? DECL_NAME(type) : type;
    return name != NULL_TREE && std::strncmp(IDENTIFIER_POINTER(name), "Contribution", 12) == 0;
  }

  void use(gimple* statement) {
    const bool isStore = gimple_assign_single_p(statement) && gimple_store_p(statement);
    const tree stored = isStore ? gimple_assign_rhs1(statement) : NULL_TREE;
    const tree base = isStore ? get_base_address(gimple_assign_lhs(statement)) : NULL_TREE;
    const bool isCopy = mayBeUndefined(stored) && base != NULL_TREE && isFollowed(TREE_TYPE(stored)) && !isContribution(base);
    if (isCopy && !(isLocal(base) && declared_.count(stored) != 0)) tellUndefinedStore(statement);
    gimple_seq before = nullptr;
    tree all = NULL_TREE, operand;
    ssa_op_iter each;
    FOR_EACH_SSA_TREE_OPERAND(operand, statement, each, SSA_OP_USE) {
      if (!mayBeUndefined(operand) || (isCopy && operand == stored)) continue;
      const tree shadow = shadowAt(&before, operand, statement);
      all = all == NULL_TREE ? shadow : combined(&before, all, shadow);
    }
    if (all == NULL_TREE) return;
    gimple_seq then = nullptr;
    addCallWithTable(&then, isExchange(statement) ? "nbodyPassUndefined" : "nbodyUseUndefined", {all}, statement);
    when(NE_EXPR, all, zero(), statement, true, before, then);
  }

  /// Tells the checker after a store that the value was undefined. The checker knows where it was stored.
  void tellUndefinedStore(gimple* statement) {
    const tree stored = gimple_assign_rhs1(statement), memory = gimple_assign_lhs(statement);
    gimple_seq first = nullptr, then = nullptr;
    const tree shadow = shadowAt(&first, stored, statement);
    const tree itself = build(&first, BIT_AND_EXPR, uint64_type_node, shadows_[stored], number(HOST_WIDE_INT_1U << kItself));
    tree all = combined(&first, shadow, itself);
    if (texts_.count(stored) != 0 && texts_[stored].find('.') != std::string::npos && TREE_CODE(memory) != SSA_NAME)
      all = combined(&first, all,
                     build(&first, RSHIFT_EXPR, uint64_type_node, itself, build_int_cst(integer_type_node, kItself - kIsMember)));
    const tree address = addressOf(&then, memory);
    addCallWithTable(&then, "nbodyStoredUndefined", {address, sizeOf(stored), all}, statement);
    when(NE_EXPR, all, zero(), statement, false, first, then);
  }

  /// Returns the address of memory, and adds what computes it.
  static tree addressOf(gimple_seq* before, tree memory) {
    mark_addressable(get_base_address(memory));
    gimple_seq of = nullptr;
    const tree address = force_gimple_operand(build_fold_addr_expr(unshare_expr(memory)), &of, true, NULL_TREE);
    gimple_seq_add_seq(before, of);
    return address;
  }

  static void insertBefore(gimple* statement, gimple_seq before) {
    gimple_stmt_iterator at = gsi_for_stmt(statement);
    if (before != nullptr) gsi_insert_seq_before(&at, before, GSI_SAME_STMT);
  }

  static tree sizeOf(tree memory) { return number(bytesOf(TREE_TYPE(memory))); }

  /// Calls the checker's function \p name after the statement, with the address and the size of the memory.
  static void tellMemory(const char* name, gimple* statement, tree memory, tree result = NULL_TREE) {
    gimple_seq after = nullptr;
    const tree address = addressOf(&after, memory);
    gimple_seq_add_stmt(&after, callOf(name, {address, sizeOf(memory)}, statement, result));
    insertAfter(statement, after);
  }

  /// Returns the name of a local variable that nothing has written if all its words have the pattern; null if that is not certain,
  /// because a member of one or two bytes may have it too.
  tree nameIfUnwritten(tree memory) {
    const tree base = get_base_address(memory);
    if (!isLocal(base)) return null_pointer_node;
    const Variable& variable = variables_[base];
    std::uint64_t small = 0;
    const bool isOfWords = areMembersFollowed(TREE_TYPE(memory), 0, small) && small == 0;
    if (!isOfWords && (!variable.isDeclared || variable.isStored || variable.isAddressed)) return null_pointer_node;
    const std::string name = nameOf(base);
    return build_string_literal(name.size() + 1, name.c_str());
  }

  /// Tells the checker of the copy of a struct, which may have members that were never written.
  void tellCopy(gimple* statement) {
    const tree to = gimple_assign_lhs(statement), from = gimple_assign_rhs1(statement);
    gimple_seq made = nullptr;
    const tree target = addressOf(&made, to), source = addressOf(&made, from);
    std::uint64_t small = 0;
    if (!isLocal(get_base_address(from)) && areMembersFollowed(TREE_TYPE(to), 0, small)) {
      const tree isTold = build_int_cst(integer_type_node, hasSmallMembers(get_base_address(to)));
      gimple_seq_add_stmt(&made, callOf("nbodyBeginCopy", {source, sizeOf(from), number(small), isTold}, statement));
    }
    insertBefore(statement, made);
    insertAfter(statement, callOf("nbodyCopied", {target, source, sizeOf(to), nameIfUnwritten(from)}, statement));
  }

  /// Tells the checker which structs a call or a return passes on. The result has the number -1.
  void tellCall(gimple* statement) {
    gimple_seq before = nullptr;
    const auto add = [&](gimple_seq* to, const char* name, tree value, int number) {
      const tree address = addressOf(to, value);
      const tree ofArgument = build_int_cst(integer_type_node, number);
      gimple_seq_add_stmt(to, callOf(name, {address, sizeOf(value), ofArgument}, statement));
    };
    if (const greturn* const ends = dyn_cast<greturn*>(statement)) {
      add(&before, "nbodyPassStruct", gimple_return_retval(ends), -1);
      return insertBefore(statement, before);
    }
    for (unsigned k = 0; k < gimple_call_num_args(statement); ++k)
      if (isStructInMemory(gimple_call_arg(statement, k))) add(&before, "nbodyPassStruct", gimple_call_arg(statement, k), k);
    insertBefore(statement, before);
    if (!isStructInMemory(gimple_call_lhs(statement))) return;
    gimple_seq after = nullptr;
    add(&after, "nbodyTakeStruct", gimple_call_lhs(statement), -1);
    insertAfter(statement, after);
  }

  /// Tells the checker of parameters in memory.
  void takeParameters(function* f) {
    gimple_seq made = nullptr;
    int k = 0;
    for (tree parameter = DECL_ARGUMENTS(f->decl); parameter != NULL_TREE; parameter = DECL_CHAIN(parameter), ++k) {
      if (is_gimple_reg(parameter) || bytesOf(TREE_TYPE(parameter)) < 4) continue;
      const tree address = addressOf(&made, parameter), ofParameter = build_int_cst(integer_type_node, k);
      gimple_seq_add_stmt(&made, callOf("nbodyTakeStruct", {address, sizeOf(parameter), ofParameter}, nullptr));
    }
    if (made != nullptr) gsi_insert_seq_on_edge_immediate(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(f)), made);
  }

  /// Tells the checker after a store that a defined number has the pattern's bits.
  void tellStore(gimple* statement) {
    const tree stored = gimple_assign_rhs1(statement), memory = gimple_assign_lhs(statement);
    if (declared_.count(stored) != 0) return;
    if (TREE_CODE(stored) == INTEGER_CST) return tellMemory("nbodyStoredPattern", statement, memory);
    gimple_seq first = nullptr, then = nullptr;
    const tree bits = bitsOf(&first, stored), address = addressOf(&then, memory);
    gimple_seq_add_stmt(&then, callOf("nbodyStoredPattern", {address, sizeOf(memory)}, statement));
    when(EQ_EXPR, bits, patternOf(TREE_TYPE(stored)), statement, false, first, then);
  }

  void setTables() {
    std::string text;
    for (const std::string& line : table_) text += line;
    for (gcall* const call : calls_) {
      gimple_call_set_arg(call, gimple_call_num_args(call) - 1, build_string_literal(text.size() + 1, text.c_str()));
      update_stmt(call);
    }
  }
};

}  // namespace

void fillResult(function* f) {
  const tree result = DECL_RESULT(f->decl);
  if (result == NULL_TREE || !AGGREGATE_TYPE_P(TREE_TYPE(result)) || DECL_BY_REFERENCE(result)) return;
  if (!aggregate_value_p(result, f->decl)) return;  // it is in registers
  const tree name = build_string_literal(sizeof "a result", "a result");
  gcall* const call = gimple_build_call_internal(IFN_DEFERRED_INIT, 3, TYPE_SIZE_UNIT(TREE_TYPE(result)),
                                                 build_int_cst(integer_type_node, AUTO_INIT_PATTERN), name);
  gimple_call_set_lhs(call, result);
  gimple_set_location(call, DECL_SOURCE_LOCATION(f->decl));
  gsi_insert_on_edge_immediate(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(f)), call);
}

void hideUndefined(function* f) {
  for (gimple* const statement : statementsOf(f)) {
    if (!gimple_call_internal_p(statement, IFN_DEFERRED_INIT)) continue;
    const tree variable = gimple_call_lhs(statement);
    if (variable == NULL_TREE || TREE_CODE(variable) != SSA_NAME || !isFollowed(TREE_TYPE(variable))) continue;
    tree name = gimple_call_arg(statement, 2);
    const std::string member = SSA_NAME_VAR(variable) == NULL_TREE ? "" : nameOf(SSA_NAME_VAR(variable));
    if (member.find('.') != std::string::npos) name = build_string_literal(member.size() + 1, member.c_str());
    const tree function =
        build_fn_decl(kUndefined, build_function_type_list(TREE_TYPE(variable), const_ptr_type_node, NULL_TREE));
    TREE_READONLY(function) = 1;
    gcall* const call = gimple_build_call(function, 1, TREE_CODE(name) == ADDR_EXPR ? name : null_pointer_node);
    gimple_call_set_lhs(call, variable);
    gimple_set_location(call, gimple_location(statement));
    gimple_stmt_iterator at = gsi_for_stmt(statement);
    gsi_replace(&at, call, false);
  }
}

namespace {

/// Returns the element with this index in the memory that an operand names; null if there is none.
tree elementIn(tree operand, tree index) {
  if (operand == NULL_TREE) return NULL_TREE;
  if (TREE_CODE(operand) == ADDR_EXPR) operand = TREE_OPERAND(operand, 0);
  for (; handled_component_p(operand); operand = TREE_OPERAND(operand, 0))
    if (TREE_CODE(operand) == ARRAY_REF && operand_equal_p(TREE_OPERAND(operand, 1), index, 0)) return operand;
  return NULL_TREE;
}

bool isThrough(tree memory, tree pointer) {
  const tree base = memory == NULL_TREE ? NULL_TREE : get_base_address(memory);
  return base != NULL_TREE && TREE_CODE(base) == MEM_REF && TREE_OPERAND(base, 0) == pointer;
}

/// Inserts a copy of the check before each statement that accesses memory through the pointer.
void checkUses(gcall* check, tree pointer, tree bound, int depth) {
  std::vector<gimple*> uses = usesOf(pointer);
  std::sort(uses.begin(), uses.end());
  uses.erase(std::unique(uses.begin(), uses.end()), uses.end());
  for (gimple* const use : uses) {
    if (gimple_code(use) == GIMPLE_PHI) continue;
    bool isUsed = is_gimple_call(use) && !gimple_call_internal_p(use);
    if (is_gimple_assign(use)) {
      if (isConversion(use) && depth < 8) checkUses(check, gimple_assign_lhs(use), bound, depth + 1);
      isUsed = isThrough(gimple_assign_lhs(use), pointer) || isThrough(gimple_assign_rhs1(use), pointer);
    }
    if (!isUsed) continue;
    gcall* const copy =
        gimple_build_call_internal(IFN_UBSAN_BOUNDS, 3, gimple_call_arg(check, 0), gimple_call_arg(check, 1),
                                   is_gimple_assign(use) ? bound : gimple_call_arg(check, 2));
    gimple_set_location(copy, gimple_location(check));
    gimple_stmt_iterator at = gsi_for_stmt(use);
    gsi_insert_before(&at, copy, GSI_SAME_STMT);
  }
}

}  // namespace

void checkIndicesAtUses(function* f) {
  for (gimple* const check : statementsOf(f)) {
    if (!gimple_call_internal_p(check, IFN_UBSAN_BOUNDS)) continue;
    const tree index = gimple_call_arg(check, 1);
    gimple_stmt_iterator next = gsi_for_stmt(check);
    for (int k = 0; k < 32 && !gsi_end_p(next); ++k, gsi_next(&next)) {
      gimple* const statement = gsi_stmt(next);
      if (!is_gimple_assign(statement)) continue;
      tree element = elementIn(gimple_assign_lhs(statement), index);
      if (element != NULL_TREE) break;
      element = elementIn(gimple_assign_rhs1(statement), index);
      if (element == NULL_TREE) continue;
      const tree domain = TYPE_DOMAIN(TREE_TYPE(TREE_OPERAND(element, 0)));
      if (TREE_CODE(gimple_assign_rhs1(statement)) != ADDR_EXPR || TREE_CODE(gimple_assign_lhs(statement)) != SSA_NAME ||
          domain == NULL_TREE || TYPE_MAX_VALUE(domain) == NULL_TREE)
        break;
      checkUses(as_a<gcall*>(check), gimple_assign_lhs(statement), fold_convert(TREE_TYPE(index), TYPE_MAX_VALUE(domain)), 0);
      gimple_stmt_iterator its = gsi_for_stmt(check);
      unlink_stmt_vdef(check);
      gsi_remove(&its, true);
      release_defs(check);
      break;
    }
  }
}

void clampShifts(function* f) {
  for (gimple* const shift : statementsOf(f)) {
    if (!is_gimple_assign(shift) || in_system_header_at(gimple_location(shift))) continue;
    const tree_code code = gimple_assign_rhs_code(shift);
    const tree to = gimple_assign_lhs(shift);
    if ((code != LSHIFT_EXPR && code != RSHIFT_EXPR) || !INTEGRAL_TYPE_P(TREE_TYPE(to))) continue;
    const tree value = gimple_assign_rhs1(shift), by = gimple_assign_rhs2(shift), type = TREE_TYPE(to);
    const unsigned width = TYPE_PRECISION(type);
    if (width != 32 && width != 64) continue;
    if (TREE_CODE(by) == INTEGER_CST && tree_fits_uhwi_p(by) && tree_to_uhwi(by) < width) continue;
    gimple_seq made = nullptr;
    const tree bits = build(&made, NOP_EXPR, unsigned_type_node, by);
    const tree isShort = build(&made, LT_EXPR, boolean_type_node, bits, build_int_cst(unsigned_type_node, width));
    const tree safe = build(&made, BIT_AND_EXPR, unsigned_type_node, bits, build_int_cst(unsigned_type_node, width - 1));
    const tree shifted = build(&made, code, type, value, safe);
    const tree rest = code == RSHIFT_EXPR && !TYPE_UNSIGNED(type)
                          ? build(&made, RSHIFT_EXPR, type, value, build_int_cst(unsigned_type_node, width - 1))
                          : build_zero_cst(type);
    gimple_stmt_iterator at = gsi_for_stmt(shift);
    gsi_insert_seq_before(&at, made, GSI_SAME_STMT);
    gimple_assign_set_rhs_with_ops(&at, COND_EXPR, isShort, shifted, rest);
    update_stmt(gsi_stmt(at));
  }
}

void clampConversions(function* f) {
  for (gimple* const conversion : statementsOf(f)) {
    if (!is_gimple_assign(conversion) || gimple_assign_rhs_code(conversion) != FIX_TRUNC_EXPR)
      continue;
    const tree result = TREE_TYPE(gimple_assign_lhs(conversion)),
               from = gimple_assign_rhs1(conversion), real = TREE_TYPE(from);
    const bool isNarrow = TYPE_PRECISION(result) == 8 || TYPE_PRECISION(result) == 16;
    const tree type = !isNarrow               ? result
                      : TYPE_UNSIGNED(result) ? unsigned_type_node
                                              : integer_type_node;
    const unsigned width = TYPE_PRECISION(type), realWidth = TYPE_PRECISION(real);
    if ((width != 32 && width != 64) || (realWidth != 32 && realWidth != 64) ||
        TREE_CODE(from) != SSA_NAME || in_system_header_at(gimple_location(conversion)))
      continue;
    const tree most = TYPE_MAX_VALUE(type), least = TYPE_MIN_VALUE(type);
    gimple_seq made = nullptr;
    const auto choose = [&](tree_code code, tree limit, tree yes, tree no) {
      return build(&made, COND_EXPR, type, build(&made, code, boolean_type_node, from, limit), yes,
                   no);
    };
    tree value = build(&made, FIX_TRUNC_EXPR, type, from);
    value = choose(GE_EXPR, build_real_from_int_cst(real, most), most, value);
    value = choose(LE_EXPR, build_real_from_int_cst(real, least), least, value);
    const bool isWide =
        width == 64 || realWidth == 64;  // as toInteger() in language/conversions.hpp
    const tree ofNan = isWide ? wide_int_to_tree(type, wi::set_bit_in_zero(width - 1, width))
                              : build_zero_cst(type);
    const tree isNan = build(&made, UNORDERED_EXPR, boolean_type_node, from, from);
    if (isNarrow) value = build(&made, COND_EXPR, type, isNan, ofNan, value);
    gimple_stmt_iterator at = gsi_for_stmt(conversion);
    gsi_insert_seq_before(&at, made, GSI_SAME_STMT);
    if (isNarrow) gimple_assign_set_rhs_with_ops(&at, NOP_EXPR, value);
    else gimple_assign_set_rhs_with_ops(&at, COND_EXPR, isNan, ofNan, value);
    update_stmt(gsi_stmt(at));
  }
}

void tellComparedLoads(function* f) {
  std::vector<gimple*> loads;
  bool hasSwap = false;
  for (gimple* const statement : statementsOf(f)) {
    hasSwap |= isCallOf(statement, "__atomic_compare_exchange");
    if (!gimple_assign_load_p(statement) || TREE_CODE(gimple_assign_lhs(statement)) != SSA_NAME) continue;
    const tree value = gimple_assign_lhs(statement), base = get_base_address(gimple_assign_rhs1(statement));
    if (base == NULL_TREE || isLocal(base) || !isFollowed(TREE_TYPE(value))) continue;
    const std::vector<gimple*> uses = usesOf(value);
    const bool isCompared = std::all_of(uses.begin(), uses.end(), [](gimple* use) {
      return gimple_code(use) == GIMPLE_COND ||
             (is_gimple_assign(use) && TREE_CODE_CLASS(gimple_assign_rhs_code(use)) == tcc_comparison);
    });
    if (isCompared) loads.push_back(statement);
  }
  if (!hasSwap) return;
  for (gimple* const load : loads) {
    gimple_stmt_iterator at = gsi_for_stmt(load);
    const tree address = force_gimple_operand_gsi(&at, build_fold_addr_expr(unshare_expr(gimple_assign_rhs1(load))), true,
                                                  NULL_TREE, true, GSI_SAME_STMT);
    gsi_insert_after(&at, callOf("nbodyOnlyCompares", {address}, load), GSI_NEW_STMT);
  }
}

void tellKeptValues(function* f) {
  for (gimple* const store : statementsOf(f)) {
    if (!gimple_assign_single_p(store) || !gimple_store_p(store) || gimple_has_volatile_ops(store)) continue;
    const tree value = gimple_assign_rhs1(store), memory = gimple_assign_lhs(store), base = get_base_address(memory);
    if (TREE_CODE(value) != SSA_NAME || !isFollowed(TREE_TYPE(value)) || base == NULL_TREE || isLocal(base)) continue;
    gimple* const by = SSA_NAME_DEF_STMT(value);
    const auto isLoaded = [&](tree one) {
      if (one == NULL_TREE || TREE_CODE(one) != SSA_NAME) return false;
      gimple* const load = SSA_NAME_DEF_STMT(one);
      return gimple_assign_load_p(load) && operand_equal_p(gimple_assign_rhs1(load), memory, 0);
    };
    std::vector<tree> choices;
    const tree_code code = is_gimple_assign(by) ? gimple_assign_rhs_code(by) : ERROR_MARK;
    if (code == MIN_EXPR || code == MAX_EXPR) choices = {gimple_assign_rhs1(by), gimple_assign_rhs2(by)};
    else if (code == COND_EXPR) choices = {gimple_assign_rhs2(by), gimple_assign_rhs3(by)};
    else if (gimple_code(by) == GIMPLE_PHI)
      for (unsigned k = 0; k < gimple_phi_num_args(by); ++k) choices.push_back(gimple_phi_arg_def(by, k));
    else if (is_gimple_call(by) && (gimple_call_flags(by) & ECF_CONST) != 0)
      for (unsigned k = 0; k < gimple_call_num_args(by); ++k) choices.push_back(gimple_call_arg(by, k));
    const auto loaded = std::find_if(choices.begin(), choices.end(), isLoaded);
    if (loaded == choices.end() || (gimple_code(by) == GIMPLE_PHI && choices.size() != 2)) continue;
    gimple_seq first = nullptr;
    const tree bits = TREE_TYPE(patternOf(TREE_TYPE(value)));
    const tree one = build(&first, VIEW_CONVERT_EXPR, bits, value), other = build(&first, VIEW_CONVERT_EXPR, bits, *loaded);
    when(EQ_EXPR, one, other, store, true, first, callOf("nbodyKeepsValue", {}, store));
  }
}

void followUndefined(function* f) { Undefined().follow(f); }
